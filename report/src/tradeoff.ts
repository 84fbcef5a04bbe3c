// The trade-off: cut against average balance, with what lies between plain clustering and lots and
// what no clustering can reach.
import { bottomAxis, Canvas, drawing, labels, leftAxis, linear, mark, type Box } from './chart';
import type { Report } from './data';
import { h, replace, s, scrolling, section, table, type Child, type Section } from './dom';
import { certificateWords, legend } from './tradeoff-words';
import type { Maybe } from './types';
import { fixed, known, measure, percent, visible } from './words';

export interface Mark {
  kind: string;
  name: string;
  cut: number;
  balance: number;
  index: number | null;
}

function marks(report: Report): Mark[] {
  const { points, baselines, start } = report.data;
  const out: Mark[] = [];
  const add = (kind: string, name: string, cut: Maybe, balance: Maybe, index: number | null = null): void => {
    if (known(cut) && known(balance)) out.push({ kind, name, cut, balance, index });
  };
  points.forEach((point, i) => add(i === start ? 'result' : 'step', visible(point.name), point.cut, point.average_balance, i));
  if (baselines !== null) {
    add('plain', 'plain clustering', baselines.plain.cut, baselines.plain.average_balance);
    add('lots', 'lots', baselines.random.cut, baselines.random.average_balance);
    if (baselines.exact !== null) add('exact', 'exact constraint', baselines.exact.cut, baselines.exact.average_balance);
  }
  return out;
}

function range(values: Maybe[]): [number, number] {
  const finite = values.filter(known);
  const low = Math.min(...finite);
  const high = Math.max(...finite);
  const pad = 0.08 * (high - low) || 0.1 * high || 0.1;
  return [Math.max(0, low - pad), high + pad];
}

/** The regions that no clustering reaches, as rectangles between x and y of the frame. */
function regions(report: Report, x: (v: number) => number, y: (v: number) => number, frame: Box): Child[] {
  const { certificate, baselines, points, start } = report.data;
  const out: Child[] = [];
  const right = frame.x + frame.width;
  const bottom = frame.y + frame.height;
  const add = (name: string, x0: number, x1: number, y0: number, y1: number): void => {
    if (x1 - x0 > 0.5 && y1 - y0 > 0.5)
      out.push(s('rect', { class: `region ${name}`, x: x0, y: y0, width: x1 - x0, height: y1 - y0 }));
  };
  const any = certificate !== null && known(certificate.any_bound) ? Math.max(frame.x, x(certificate.any_bound)) : frame.x;
  add('any', frame.x, any, frame.y, bottom);
  const reachable = baselines !== null && known(baselines.reachable_balance) ? y(baselines.reachable_balance) : frame.y;
  add('above', any, right, frame.y, reachable);
  const balance = points[start].average_balance;
  if (certificate !== null && known(certificate.lower_bound) && known(balance))
    add('fair', any, x(certificate.lower_bound), frame.y, y(balance));
  return out;
}

function hatch(id: string, turn: number): SVGElement {
  return s(
    'pattern',
    { id, width: 7, height: 7, patternUnits: 'userSpaceOnUse', patternTransform: `rotate(${turn})` },
    s('line', { class: 'hatch', y2: 7 }),
  );
}

function spread(report: Report, x: (v: number) => number, y: (v: number) => number): Child[] {
  const lots = report.data.baselines?.random;
  if (lots === undefined || !known(lots.cut) || !known(lots.average_balance)) return [];
  const out: Child[] = [];
  const [cx, cy] = [x(lots.cut), y(lots.average_balance)];
  const line = (x1: number, x2: number, y1: number, y2: number): void => {
    out.push(s('line', { class: 'spread', x1, x2, y1, y2 }));
  };
  if (known(lots.cut_spread)) line(x(lots.cut - lots.cut_spread), x(lots.cut + lots.cut_spread), cy, cy);
  if (known(lots.balance_spread))
    line(cx, cx, y(lots.average_balance - lots.balance_spread), y(lots.average_balance + lots.balance_spread));
  return out;
}

/** Small boxes along a line, which labels avoid. */
function along(places: number[][]): Box[] {
  const steps = 24;
  return places.slice(1).flatMap(([x1, y1], i) => {
    const [x0, y0] = places[i];
    return Array.from({ length: steps + 1 }, (_, t) => ({
      x: x0 + ((x1 - x0) * t) / steps - 3,
      y: y0 + ((y1 - y0) * t) / steps - 3,
      width: 6,
      height: 6,
    }));
  });
}

/** What is drawn later lies above: steps of the path below the clusterings that they may coincide with. */
function byImportance(all: Mark[]): Mark[] {
  const order = ['step', 'lots', 'exact', 'plain', 'result'];
  return [...all].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

/** A mark with its numbers as a tip; those of the path can be chosen. */
function shapeOf(m: Mark, x: number, y: number, choose: (index: number) => void): SVGElement {
  const shape = mark(m.kind, x, y);
  shape.append(s('title', {}, `${m.name}: normalized cut ${measure(m.cut)}, average balance ${fixed(m.balance)}`));
  const { index } = m;
  if (index !== null) shape.addEventListener('click', () => choose(index));
  return shape;
}

/** Whether lots lie so far from the clusterings that these would crowd at one side. */
function crowded(all: Mark[]): boolean {
  const width = (some: Mark[]): number => Math.max(...some.map(({ cut }) => cut)) - Math.min(...some.map(({ cut }) => cut));
  const near = all.filter(({ kind }) => kind !== 'lots');
  return near.length > 1 && near.length < all.length && width(near) < 0.35 * width(all);
}

function draw(
  report: Report,
  all: Mark[],
  index: number,
  width: number,
  with_lots: boolean,
  choose: (index: number) => void,
): SVGSVGElement {
  const { certificate, baselines } = report.data;
  const height = Math.round(Math.min(440, Math.max(320, 0.55 * width)));
  const frame: Box = { x: 40, y: 34, width: width - 52, height: height - 84 };
  const x = linear(
    range([
      ...all.filter(({ kind }) => with_lots || kind !== 'lots').map(({ cut }) => cut),
      certificate?.any_bound ?? null,
      certificate?.lower_bound ?? null,
      with_lots && known(baselines?.random.cut_spread) && known(baselines?.random.cut)
        ? (baselines?.random.cut as number) + (baselines?.random.cut_spread as number)
        : null,
    ]),
    [frame.x, frame.x + frame.width],
  );
  const top = 1.12 * Math.max(0.1, baselines?.reachable_balance ?? 0, ...all.map(({ balance }) => balance));
  const y = linear([0, Math.min(1, top)], [frame.y + frame.height, frame.y]);
  const place = ({ cut, balance }: Mark): string => `${x(cut)},${y(balance)}`;
  const path = all.filter(({ index: i }) => i !== null);
  const plain = all.find(({ kind }) => kind === 'plain');
  const lots = all.find(({ kind }) => kind === 'lots');
  const now = all.find(({ index: i }) => i === index);
  // A point of the path that is plain clustering itself has its name there already.
  const named = all.filter(
    (m) =>
      (m.kind !== 'step' && (with_lots || m.kind !== 'lots')) ||
      (m.index === index && !all.some((o) => o.kind === 'plain' && o.cut === m.cut && o.balance === m.balance)),
  );
  return drawing(
    width,
    height,
    `Normalized cut against average balance. ${all.map((m) => `${m.name}: ${measure(m.cut)}, ${fixed(m.balance)}`).join('; ')}.`,
    s(
      'defs',
      {},
      hatch('hatch-any', 45),
      hatch('hatch-fair', -45),
      s('clipPath', { id: 'frame' }, s('rect', { x: frame.x, y: 0, width: Math.max(0, frame.width + 12), height })),
    ),
    leftAxis(y, frame.x, frame.x + frame.width, '↑ average balance (more is better)', 5),
    bottomAxis(x, frame.y + frame.height, 'normalized cut (less is better: further left)', width < 500 ? 4 : 8),
    ...regions(report, x, y, frame),
    s(
      'g',
      // Lots may lie outside of the picture.
      { 'clip-path': 'url(#frame)' },
      plain && lots ? s('path', { class: 'coin', d: `M${place(plain)}L${place(lots)}` }) : null,
      path.length > 1 ? s('path', { class: 'path', d: `M${path.map(place).join('L')}` }) : null,
      ...spread(report, x, y),
      now ? mark('now', x(now.cut), y(now.balance)) : null,
      ...byImportance(all).map((m) => shapeOf(m, x(m.cut), y(m.balance), choose)),
    ),
    labels(
      named.map((m) => ({ x: x(m.cut), y: y(m.balance), text: m.name.length > 24 ? `${m.name.slice(0, 23)}…` : m.name })),
      [...along(path.map((m) => [x(m.cut), y(m.balance)])), ...(plain && lots && with_lots ? along([plain, lots].map((m) => [x(m.cut), y(m.balance)])) : [])],
      frame,
    ),
  );
}

function numbers(report: Report, all: Mark[], index: number): HTMLElement {
  // A point of the path may be plain clustering itself: one row then.
  const twice = (m: Mark): boolean => m.index === null && all.some((o) => o.index !== null && o.name === m.name && o.cut === m.cut);
  const rows = all.filter((m) => !twice(m)).map((m) => {
    const point = m.index === null ? null : report.point(m.index);
    return h(
      'tr',
      m.index === index ? { class: 'current', 'aria-current': 'true' } : {},
      h('th', { scope: 'row' }, m.name),
      h('td', {}, measure(m.cut)),
      h('td', {}, fixed(m.balance)),
      h('td', {}, percent(point?.structure_kept)),
      h('td', {}, percent(point?.fairness_gained)),
    );
  });
  const heads = ['Clustering', 'Normalized cut', 'Average balance', 'Structure kept', 'Fairness gained'];
  return table(heads, rows);
}

export function tradeoff(report: Report, choose: (index: number) => void): Section {
  const all = marks(report);
  let current = report.data.start;
  const far = crowded(all);
  let with_lots = !far;
  const canvas = new Canvas((width) => draw(report, all, current, width, with_lots, choose));
  const lots = h(
    'button',
    {
      type: 'button',
      id: 'with-lots',
      'aria-pressed': 'false',
      click: () => {
        with_lots = !with_lots;
        lots.setAttribute('aria-pressed', String(with_lots));
        canvas.redraw();
      },
    },
    'Show lots in the picture',
  );
  const beyond = h(
    'p',
    { class: 'controls' },
    lots,
    h('span', { class: 'note' }, `Lots lie far to the right, at a normalized cut of ${measure(report.data.baselines?.random.cut)}.`),
  );
  const place = h('div', {});
  const element = section(
    'tradeoff',
    'Trade-off between cut and balance',
    h(
      'p',
      {},
      'Each mark is a clustering. Further left it cuts fewer links between people who are alike; further up people are represented more evenly.',
    ),
    all.length > 0 ? canvas.element : h('p', { class: 'notice' }, 'The balance is not known without representatives, so there is nothing to draw.'),
    far ? beyond : null,
    legend(report, all),
    certificateWords(report),
    h('details', {}, h('summary', {}, 'The numbers of this chart'), scrolling('Numbers of the trade-off chart', place)),
  );
  return {
    element,
    show(index) {
      current = index;
      if (all.length > 0) canvas.redraw();
      replace(place, numbers(report, all, index));
    },
  };
}
