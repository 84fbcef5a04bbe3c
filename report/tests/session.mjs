// A page in headless Chromium with the network cut, and what it did wrong.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Counts checks; the names of those that failed are printed at the end. */
export class Checks {
  passed = 0;
  failed = [];

  constructor(where) {
    this.where = where;
  }

  that(condition, what) {
    if (condition) ++this.passed;
    else {
      this.failed.push(`${this.where}: ${what}`);
      console.log(`  FAILED ${this.where}: ${what}`);
    }
  }

  equal(found, expected, what) {
    const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
    this.that(a === b, `${what}: found ${a?.slice(0, 300)}, expected ${b?.slice(0, 300)}`);
  }
}

export function launch(puppeteer) {
  return puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    // Nothing resolves; root, as in containers, has no sandbox of its own.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--host-resolver-rules=MAP * ~NOTFOUND'],
  });
}

/** Opens a file and records console errors, exceptions, dialogs and requests. */
export async function open(browser, file, viewport = { width: 1200, height: 900 }) {
  const page = await browser.newPage();
  const faults = [];
  const url = pathToFileURL(file).href;
  page.on('console', (message) => {
    if (['error', 'warn', 'assert'].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (request) => {
    // What the buttons save has a blob: address, which is memory of the page.
    if (request.url().split('#')[0] !== url && !request.url().startsWith('blob:')) faults.push(`request: ${request.url()}`);
  });
  await page.setOfflineMode(true);
  await page.setViewport(viewport);
  const downloads = mkdtempSync(join(tmpdir(), 'repsc-report-'));
  const session = await page.createCDPSession();
  await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: downloads });
  await page.goto(url);
  await page.waitForSelector('html[data-ready]', { timeout: 20000 });
  return { page, faults, downloads, close: () => (rmSync(downloads, { recursive: true }), page.close()) };
}

/** Clicks a button and returns the text of the file that it saves. */
export async function saved({ page, downloads }, button) {
  for (const name of readdirSync(downloads)) rmSync(join(downloads, name));
  await page.$eval(button, (element) => element.click());
  for (let waited = 0; waited < 10000; waited += 50) {
    const names = readdirSync(downloads).filter((name) => !name.endsWith('.crdownload'));
    if (names.length > 0) {
      const text = readFileSync(join(downloads, names[0]), 'utf8');
      if (text !== '') return text;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  return null;
}

/** RFC 4180. */
export function parseCsv(marked) {
  const text = marked.replace(/^\ufeff/, '');
  const rows = [[]];
  const pattern = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y;
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (match === null) return null;
    const [, field, end] = match;
    rows[rows.length - 1].push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);
    if (end === '\r\n') rows.push([]);
  }
  rows.pop();
  return rows;
}

export const texts = (page, selector) => page.$$eval(selector, (all) => all.map((one) => one.textContent));

export async function move(page, index) {
  await page.$eval(
    '#point',
    (input, to) => {
      input.value = String(to);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    },
    index,
  );
}
