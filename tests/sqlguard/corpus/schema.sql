CREATE TABLE people (
  id INTEGER PRIMARY KEY, firm INTEGER NOT NULL, name TEXT NOT NULL, email TEXT, phone TEXT, code TEXT,
  city TEXT NOT NULL, boss INTEGER, joined DATE, tags TEXT[], extra JSON);
CREATE TABLE sales (
  id INTEGER PRIMARY KEY, firm INTEGER NOT NULL, person INTEGER NOT NULL, city TEXT NOT NULL, state TEXT NOT NULL,
  amount DECIMAL(12,2) NOT NULL, sold TIMESTAMP NOT NULL, parts INTEGER[]);
CREATE TABLE goods (id INTEGER PRIMARY KEY, title TEXT NOT NULL, price DECIMAL(10,2) NOT NULL, kind TEXT NOT NULL);
CREATE TABLE pay (person INTEGER PRIMARY KEY, firm INTEGER NOT NULL, wage INTEGER NOT NULL);
CREATE TABLE tokens (id INTEGER PRIMARY KEY, token TEXT NOT NULL);
CREATE TABLE "Odd Name" ("Item No" INTEGER NOT NULL, firm INTEGER NOT NULL, "from" TEXT, "größe" DECIMAL(8,2));
CREATE VIEW everyone AS SELECT id, name, email, code FROM people;
CREATE SEQUENCE tally START 1;
INSERT INTO people VALUES
 (1,1,'Ann','ann@own.test','+49-001','PIN-ANN','Bonn',NULL,DATE '2023-01-05',ARRAY['vip','new'],'{"tier":"gold","deep":{"lang":"fr"}}'),
 (2,1,'Ben','ben@own.test','+49-002','PIN-BEN','Bonn',1,DATE '2023-02-11',ARRAY['new'],'{"tier":"tin","deep":{"lang":"de"}}'),
 (3,1,'Zoe','zoe@own.test','+49-003','PIN-ZOE','Kiel',1,DATE '2023-03-17',ARRAY['vip'],'{"tier":"gold"}'),
 (4,2,'Yan','yan@alien.test','+49-004','PIN-YAN','Bonn',NULL,DATE '2023-05-29',NULL,NULL),
 (5,1,'Cal',NULL,'+49-005','PIN-CAL','Bonn',2,DATE '2024-02-29',ARRAY['old','new'],'{"tier":"tin"}');
INSERT INTO sales VALUES
 (1,1,1,'Bonn','paid',100.00,TIMESTAMP '2024-01-01 10:00:00',ARRAY[1,2]),
 (2,1,2,'Bonn','paid',250.50,TIMESTAMP '2024-01-15 11:30:00',ARRAY[2]),
 (3,1,3,'Kiel','paid',88888.01,TIMESTAMP '2024-02-01 09:15:00',ARRAY[3]),
 (4,1,1,'Bonn','back',40.00,TIMESTAMP '2024-02-14 18:45:00',ARRAY[1,3]),
 (5,2,4,'Bonn','alienstate',88888.02,TIMESTAMP '2024-02-20 00:00:00',ARRAY[9]),
 (6,1,5,'Bonn','open',60.25,TIMESTAMP '2024-03-01 08:00:00',NULL);
INSERT INTO goods VALUES (1,'Desk',100.00,'wood'),(2,'Lamp',25.50,'light'),(3,'Chair',60.00,'wood');
INSERT INTO pay VALUES (1,1,77001),(2,1,77002),(3,1,77003),(4,2,77004);
INSERT INTO tokens VALUES (1,'TOK-AAAA'),(2,'TOK-BBBB');
INSERT INTO "Odd Name" VALUES (1,1,'x',1.50),(2,1,'y',2.25),(9,2,'zalien',9.99);
