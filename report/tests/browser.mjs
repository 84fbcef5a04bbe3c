// Tries report pages in headless Chromium.
//   node browser.mjs --packages FOLDER --samples FOLDER [--only SAMPLE] [--shots FOLDER] [--page FILE]...
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as generic from './generic.mjs';
import * as samples from './samples.mjs';
import { Checks, launch, open } from './session.mjs';

const { values: options } = parseArgs({
  options: {
    packages: { type: 'string' },
    samples: { type: 'string' },
    shots: { type: 'string' },
    page: { type: 'string', multiple: true, default: [] },
    only: { type: 'string' },
  },
});
const load = createRequire(join(resolve(options.packages), 'package.json'));
const puppeteer = load('puppeteer-core').default ?? load('puppeteer-core');
const axe = readFileSync(load.resolve('axe-core/axe.min.js'), 'utf8');

/** The data in a page, by the rule of the script element: they end at the first `</script`. */
function dataOf(file) {
  const html = readFileSync(file, 'utf8');
  const from = html.indexOf('id="data">') + 'id="data">'.length;
  return JSON.parse(html.slice(from, html.indexOf('</script', from)));
}

const extra = {
  small: async (view, checks, data) => {
    await samples.numbers(view, checks, data);
    await samples.cards(view, checks, data);
  },
  middle: async (view, checks, data) => {
    await samples.numbers(view, checks, data);
    await view.page.waitForSelector('#graph[data-settled]', { timeout: 60000 });
  },
  large: (view, checks, data) => samples.numbers(view, checks, data),
  one: (view, checks, data) => samples.numbers(view, checks, data),
  hostile: samples.hostile,
};

async function tryPage(browser, file, name, more) {
  const checks = new Checks(name);
  const began = Date.now();
  try {
    const data = dataOf(file);
    const shots = options.shots ? join(resolve(options.shots), name) : null;
    if (shots) mkdirSync(shots, { recursive: true });
    const view = await open(browser, file);
    await generic.structure(view, checks, data);
    await generic.slider(view, checks, data);
    if (data.graph?.kind === 'nodes') await view.page.waitForSelector('#graph[data-settled]', { timeout: 60000 });
    await generic.accessibility(view, axe, checks, shots);
    await generic.card(view, axe, checks, shots);
    await generic.people(view, checks, data);
    await generic.provenance(view, checks, data);
    checks.equal(view.faults, [], 'errors, dialogs and requests');
    await view.close();
    if (more) {
      const fresh = await open(browser, file);
      await more(fresh, checks, data);
      checks.equal(fresh.faults, [], 'errors, dialogs and requests of the second visit');
      await fresh.close();
    }
  } catch (error) {
    checks.that(false, error.stack);
  }
  console.log(`${checks.failed.length === 0 ? 'ok    ' : 'FAILED'} ${name}: ${checks.passed} checks, ${checks.failed.length} failed, ${((Date.now() - began) / 1000).toFixed(1)} s`);
  return checks;
}

/** Every page to be tried: its file, its name and what is tried besides. */
function jobs() {
  const found = [];
  for (const [name, more] of Object.entries(extra)) {
    const file = join(resolve(options.samples ?? ''), `${name}.html`);
    if (options.samples && existsSync(file) && (options.only ?? name) === name) found.push({ file, name, more });
  }
  for (const [i, file] of options.page.entries()) found.push({ file: resolve(file), name: `page-${i + 1}`, more: samples.numbers });
  return found;
}

const all = [];
const waiting = jobs();
/** Takes pages until none is left, in a browser of its own. */
async function work() {
  const browser = await launch(puppeteer);
  try {
    for (let job = waiting.shift(); job; job = waiting.shift()) all.push(await tryPage(browser, job.file, job.name, job.more));
  } finally {
    await browser.close();
  }
}
await Promise.all([work(), work()]);
if (options.samples && !options.only) {
  const browser = await launch(puppeteer);
  const speed = new Checks('speed');
  try {
    await samples.large(browser, join(resolve(options.samples), 'large.html'), speed);
  } finally {
    await browser.close();
  }
  all.push(speed);
}
const failed = all.flatMap((checks) => checks.failed);
console.log(`${all.reduce((sum, { passed }) => sum + passed, 0)} checks passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 && all.length > 0 ? 0 : 1;
