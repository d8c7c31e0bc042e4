// Cube's compiler beside ours: some queries as one line of JSON, their milliseconds of processor time as another.
const fs = require('fs');
const readline = require('readline');
const path = require('path');

const [modules, model] = process.argv.slice(2);
const home = path.join(modules, '@cubejs-backend', 'schema-compiler');
const { prepareCompiler, createQuery } = require(home);
// the native part, which fills templates in YAML, has no build for every machine; a model in JavaScript needs none
require(path.join(modules, '@cubejs-backend', 'native')).NativeInstance.prototype.newJinjaEngine = () => ({});
const version = require(path.join(home, 'package.json')).version;

let limit = 1_000_000;

function compileMs(compilers, asked) {
  // Cube keeps the SQL of a query that it has seen: another limit makes it a new one
  const query = { timezone: 'UTC', useNativeSqlPlanner: false, rowLimit: limit++, ...asked };
  const before = process.cpuUsage();
  const [sql] = createQuery(compilers, 'postgres', query).buildSqlAndParams();
  const used = process.cpuUsage(before);
  if (!sql) throw new Error(`Cube has no SQL for ${JSON.stringify(asked)}`);
  return (used.user + used.system) / 1000;
}

async function main() {
  const files = async () => [{ fileName: 'shop.js', content: fs.readFileSync(model, 'utf8') }];
  const found = prepareCompiler({ localPath: () => '.', dataSchemaFiles: files }, { adapter: 'postgres' });
  await found.compiler.compile();
  const reply = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
  reply({ peer: `cube ${version}` });
  for await (const line of readline.createInterface({ input: process.stdin })) {
    reply({ ms: JSON.parse(line).map((asked) => compileMs(found, asked)) });
  }
}

main();
