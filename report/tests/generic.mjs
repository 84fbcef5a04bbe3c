// Checks that hold for every report, those of the tool included.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { move, parseCsv, saved, texts } from './session.mjs';

/** axe-core in light, dark, print and on a phone; screenshots of the sections of each. */
export async function accessibility(view, axe, checks, shots) {
  const { page } = view;
  await page.evaluate(axe);
  const modes = {
    light: () => page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]),
    dark: () => page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]),
    phone: async () => {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
      await page.setViewport({ width: 380, height: 800 });
    },
    print: async () => {
      // The width of A4 between the margins.
      await page.setViewport({ width: 688, height: 1000 });
      await page.emulateMediaType('print');
    },
  };
  await page.$$eval('details', (all) => all.forEach((one) => (one.open = true)));
  for (const [mode, enter] of Object.entries(modes)) {
    await enter();
    await settle(page);
    const found = await page.evaluate(async () =>
      (await axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 2).map(({ html }) => html.slice(0, 160)).join(' | ')}`),
    );
    checks.equal(found, [], `axe-core in ${mode}`);
    const [wide, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    checks.that(wide <= width, `the page is ${wide} px wide in a window of ${width} px (${mode})`);
    if (shots) await picture(page, join(shots, mode), mode === 'print');
  }
  await page.$$eval('details', (all) => all.forEach((one) => (one.open = false)));
  if (shots) await page.pdf({ path: join(shots, 'print.pdf'), format: 'A4', preferCSSPageSize: true });
  await page.emulateMediaType('screen');
  await page.setViewport({ width: 1200, height: 900 });
  await settle(page);
}

async function settle(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

async function picture(page, folder, opened) {
  mkdirSync(folder, { recursive: true });
  const prepare = (open, position) =>
    page.evaluate(
      (open, position) => {
        for (const one of document.querySelectorAll('details')) one.open = open;
        // The slider would lie above the sections.
        for (const one of document.querySelectorAll('.slider')) one.style.position = position;
        document.activeElement?.blur();
        scrollTo({ top: 0, behavior: 'instant' });
      },
      open,
      position,
    );
  await prepare(opened, 'static');
  await page.screenshot({ path: join(folder, 'first-screen.png') });
  for (const part of await page.$$('header, section')) {
    const id = await part.evaluate((element) => element.id || 'header');
    await part.screenshot({ path: join(folder, `${id}.png`) });
  }
  await prepare(true, '');
}

/** Every section is there, every chart has marks and a text that says what is seen. */
export async function structure({ page }, checks, data) {
  const wanted = ['verdict', 'tradeoff', 'clusters', 'people', 'distribution'];
  if (data.graph !== null) wanted.push('graph');
  wanted.push('provenance');
  const order = await page.$$eval('section', (all) => all.map(({ id }) => id));
  checks.equal(order, wanted, 'sections in their order');
  const number = (selector) => page.$$eval(selector, (all) => all.length);
  checks.equal(await number('#tradeoff .chart .mark.result'), 1, 'the mark of the result');
  if (data.baselines !== null) {
    for (const kind of ['plain', 'lots']) checks.equal(await number(`#tradeoff .chart .mark.${kind}`), 1, `mark of ${kind}`);
    checks.equal(await number('#tradeoff .chart .coin'), 1, 'the line of the coin toss');
  }
  checks.equal(await number('#tradeoff .chart .mark.step'), data.points.length - 1, 'marks of the path');
  checks.equal(await number('#tradeoff .chart .path'), data.points.length > 1 ? 1 : 0, 'the path');
  checks.equal(await number('.clusters tbody tr'), data.clusters, 'rows of the clusters');
  checks.that((await number('#distribution .line.this rect')) >= 20, 'bars of the distribution');
  if (data.groups.length > 0 && data.points[data.start].group_table !== null)
    checks.equal(await number('.heatmap tbody tr'), Math.min(40, data.groups.length), 'rows of the heat map');
  if (data.graph?.kind === 'nodes') checks.equal(await number('#graph .node'), data.graph.count, 'nodes of the graph');
  if (data.graph?.kind === 'clusters') checks.equal(await number('#graph .node'), data.clusters, 'circles of the clusters');
  const unnamed = await page.$$eval('svg:not([aria-hidden])', (all) => all.filter((one) => (one.getAttribute('aria-label') ?? '') === '').length);
  checks.equal(unnamed, 0, 'charts without a text');
  const broken = await page.$$eval('svg *', (all) =>
    all.filter((one) => [...one.attributes].some(({ value }) => /NaN|undefined|Infinity/.test(value))).length,
  );
  checks.equal(broken, 0, 'shapes with an unknown place');
  const body = await page.$eval('#page', (element) => element.innerText);
  checks.that(!/\b(NaN|undefined|Infinity|\[object)/.test(body), 'the text has no NaN, undefined or object');
}

/** The slider shows other sentences and numbers at each point; by keyboard, too. */
export async function slider({ page }, checks, data) {
  if (data.points.length < 2) {
    checks.equal(await page.$('#point'), null, 'no slider with one point');
    return;
  }
  const seen = [];
  for (const [index, point] of data.points.entries()) {
    await move(page, index);
    const clean = (text) => text.replace(/\[U\+[0-9A-F]+\]/g, '');
    const told = (await texts(page, '.verdict p')).map(clean);
    checks.equal(told, point.verdict.map((text) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')), `verdict of point ${index}`);
    const value = await page.$eval('#point', (input) => input.getAttribute('aria-valuetext'));
    checks.that(/normalized cut .* average balance /.test(value), `aria-valuetext of point ${index}: ${value}`);
    seen.push(await texts(page, 'main section:not(#provenance)'));
  }
  const same = [];
  for (let part = 0; part < seen[0].length; ++part) if (seen[0][part] === seen[seen.length - 1][part]) same.push(part);
  const graph = seen[0].length - 1;
  checks.equal(same.filter((part) => part !== graph || data.graph === null), [], 'sections that the slider leaves as they are');
  await page.focus('#point');
  await page.keyboard.press('Home');
  checks.equal(await page.$eval('#point', (input) => input.value), '0', 'Home goes to the first point');
  await page.keyboard.press('ArrowRight');
  checks.equal((await texts(page, '.shown strong')).length, 1, 'the name of the point is shown');
  await move(page, data.start);
}

/** Search, sorting, pages, CSV and cards of people. */
export async function people(view, checks, data) {
  const { page } = view;
  const table = data.points[data.start].people;
  const rows = () => page.$$eval('.people tbody tr', (all) => all.map((row) => Number(row.dataset.node)));
  const first = await rows();
  checks.equal(first.length, Math.min(25, table.count), 'rows on the first page');
  const column = (id) => texts(page, `.people td.col-${id}`);
  const sort = (id) => page.$eval(`#sort-${id}`, (button) => button.click());
  await sort('balance');
  await sort('balance');
  const falling = (await column('balance')).map(Number).filter((value) => !Number.isNaN(value));
  checks.equal(falling, [...falling].sort((a, b) => b - a), 'balances sorted from high to low');
  checks.equal(await page.$eval('th.col-balance', (th) => th.getAttribute('aria-sort')), 'descending', 'aria-sort');
  checks.equal(await page.evaluate(() => document.activeElement?.id), 'sort-balance', 'the focus stays on the header');
  await sort('balance');
  const rising = (await column('balance')).map(Number).filter((value) => !Number.isNaN(value));
  checks.equal(rising, [...rising].sort((a, b) => a - b), 'balances sorted from low to high');

  const word = 'cluster 2';
  await page.type('#search', word);
  const clusters = new Set(await column('cluster'));
  checks.that(clusters.size <= 1 || (await rows()).length === 0 || [...clusters].every((text) => text.startsWith('Cluster 2') || text === ''), `the search finds ${[...clusters].join()}`);
  const summary = Number((await texts(page, '#people-summary'))[0].match(/^[\d,]+/)[0].replaceAll(',', ''));
  const csv = parseCsv((await saved(view, '#csv')) ?? '');
  checks.that(csv !== null && csv.every((row) => row.length === csv[0].length), 'the CSV is well formed');
  checks.equal(csv.length - 1, summary, 'rows of the CSV');
  checks.equal(csv.slice(1, 26).map((row) => Number(row[1]) - 1), await rows(), 'the CSV has the rows of the table, in its order');
  await page.$eval('#search', (input) => {
    input.value = '';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  const all = parseCsv((await saved(view, '#csv')) ?? '');
  checks.equal(all.length - 1, table.count, 'rows of the CSV without a search');
  if (table.count > 25) {
    await page.$eval('#page-after', (button) => button.click());
    checks.equal(await rows(), all.slice(26, 51).map((row) => Number(row[1]) - 1), 'rows of the second page');
    await page.$eval('#page-before', (button) => button.click());
  }

  await page.focus('.people tbody tr .name');
  await page.keyboard.press('Enter');
  checks.that(await page.$eval('#card', (card) => card.open), 'Enter opens the card');
  checks.equal((await texts(page, '#card .bars')).length, data.clusters, 'bars of the card');
  checks.that(/would raise the balance from .* the cut would|No single move|^Nothing: the balance|change of the cut/.test((await texts(page, '#card .help'))[0]), 'the sentence of the help');
  await page.keyboard.press('Escape');
  checks.that(!(await page.$eval('#card', (card) => card.open)), 'Escape closes the card');
  checks.that(await page.evaluate(() => document.activeElement?.classList.contains('name')), 'the focus returns to the table');
}

/** The card under axe-core, and a picture of it. */
export async function card({ page }, axe, checks, shots) {
  await page.$eval('#people tbody tr:nth-child(-n + 4):last-child .name, #people tbody tr:nth-child(4) .name', (button) => button.click());
  const found = await page.evaluate(async () => (await axe.run(document)).violations.map(({ id }) => id));
  checks.equal(found, [], 'axe-core with an open card');
  if (shots) await (await page.$('#card')).screenshot({ path: join(shots, 'card.png') });
  await page.keyboard.press('Escape');
}

export async function provenance(view, checks, data) {
  const twin = await saved(view, '#json');
  checks.equal(JSON.parse(twin ?? 'null')?.nodes, data.nodes, 'the JSON twin');
  checks.that(JSON.stringify(JSON.parse(twin ?? 'null')) === JSON.stringify(data), 'the JSON twin has all data');
  const policy = await view.page.$eval('meta[http-equiv]', (meta) => meta.content);
  checks.that(policy.startsWith("default-src 'none'"), 'the Content-Security-Policy');
}
