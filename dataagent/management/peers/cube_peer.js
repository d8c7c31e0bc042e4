// Cube's compiler beside ours: one JSON request a line, one JSON reply a line, times in milliseconds of processor time.
const fs = require('fs');
const readline = require('readline');
const path = require('path');

const [modules, model] = process.argv.slice(2);
const home = path.join(modules, '@cubejs-backend', 'schema-compiler');
const { prepareCompiler, createQuery } = require(home);
// the native part, which fills templates in YAML, has no build for every machine; a model in JavaScript needs none
require(path.join(modules, '@cubejs-backend', 'native')).NativeInstance.prototype.newJinjaEngine = () => ({});
const version = require(path.join(home, 'package.json')).version;

async function main() {
  const files = async () => [{ fileName: 'shop.js', content: fs.readFileSync(model, 'utf8') }];
  const found = prepareCompiler({ localPath: () => '.', dataSchemaFiles: files }, { adapter: 'postgres' });
  await found.compiler.compile();
  const reply = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
  reply({ peer: `cube ${version}` });
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const asked = { timezone: 'UTC', useNativeSqlPlanner: false, ...JSON.parse(line) };
    const before = process.cpuUsage();
    const [sql] = createQuery(found, 'postgres', asked).buildSqlAndParams();
    const used = process.cpuUsage(before);
    reply({ ms: (used.user + used.system) / 1000, sql });
  }
}

main();
