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

const browser = await launch(puppeteer);
const all = [];
try {
  for (const [name, more] of Object.entries(extra)) {
    const file = join(resolve(options.samples ?? ''), `${name}.html`);
    if (options.samples && existsSync(file) && (options.only ?? name) === name) all.push(await tryPage(browser, file, name, more));
  }
  if (options.samples && !options.only) {
    const speed = new Checks('speed');
    await samples.large(browser, join(resolve(options.samples), 'large.html'), speed);
    all.push(speed);
  }
  for (const [i, file] of options.page.entries()) all.push(await tryPage(browser, resolve(file), `page-${i + 1}`, null));
} finally {
  await browser.close();
}
const failed = all.flatMap((checks) => checks.failed);
console.log(`${all.reduce((sum, { passed }) => sum + passed, 0)} checks passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 && all.length > 0 ? 0 : 1;
