// The distribution of balance over people: this point, plain clustering and lots; and by group.
import { bottomAxis, Canvas, drawing, leftAxis, linear } from './chart';
import { f32, type Report } from './data';
import { h, replace, s, scrolling, section, table, type Section } from './dom';
import { count, fixed, percent, quoted, visible } from './words';

interface Line {
  kind: string;
  name: string;
  shares: ArrayLike<number>;
}

const groups_at_once = 12;

function draw(lines: Line[], width: number, height: number, top: number, label: string, small: boolean): SVGSVGElement {
  const frame = { left: small ? 48 : 52, right: 12, top: small ? 12 : 34, bottom: small ? 26 : 50 };
  const x = linear([0, 1], [frame.left, width - frame.right]);
  const y = linear([0, top], [height - frame.bottom, frame.top]).nice(small ? 2 : 5);
  const outline = (shares: ArrayLike<number>): string => {
    const bins = shares.length;
    const steps = Array.from(shares, (share, i) => `${i === 0 ? 'M' : 'L'}${x(i / bins)},${y(share)}L${x((i + 1) / bins)},${y(share)}`);
    return steps.join('');
  };
  const floor = y(0);
  const shapes = lines.map(({ kind, shares }) =>
    kind === 'this'
      ? s(
          'g',
          { class: 'line this' },
          ...Array.from(shares, (share, i) =>
            s('rect', {
              x: x(i / shares.length) + 0.5,
              width: Math.max(0.5, x((i + 1) / shares.length) - x(i / shares.length) - 1),
              y: y(share),
              height: Math.max(0, floor - y(share)),
            }),
          ),
        )
      : s('path', { class: `line ${kind}`, d: outline(shares) }),
  );
  return drawing(
    width,
    height,
    label,
    leftAxis(y, frame.left, width - frame.right, small ? '' : '↑ share of people', small ? 2 : 5, (v) => percent(v)),
    ...shapes,
    bottomAxis(x, floor, small ? '' : 'balance', small ? 2 : 5),
  );
}

function say(lines: Line[]): string {
  const parts = lines.map(({ name, shares }) => {
    const last = shares.length - 1;
    return `${name}: ${percent(shares[0])} of people have a balance below ${fixed(1 / shares.length)}, ${percent(shares[last])} of at least ${fixed(last / shares.length)}`;
  });
  return `Distribution of balance. ${parts.join('; ')}.`;
}

function numbers(lines: Line[]): HTMLElement {
  const bins = lines[0].shares.length;
  const rows = Array.from({ length: bins }, (_, i) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, `${fixed(i / bins)} to ${fixed((i + 1) / bins)}`),
      ...lines.map(({ shares }) => h('td', {}, percent(shares[i]))),
    ),
  );
  return table(['Balance', ...lines.map(({ name }) => name)], rows);
}

export function distribution(report: Report): Section {
  const { data } = report;
  const plain = data.points.findIndex(({ name }) => name === 'plain clustering');
  let current = data.start;

  const lines = (index: number): Line[] => {
    const out: Line[] = [{ kind: 'this', name: visible(report.point(index).name), shares: f32(report.point(index).balances) }];
    if (plain >= 0 && plain !== index) out.push({ kind: 'plain', name: 'plain clustering', shares: f32(data.points[plain].balances) });
    const lots = data.random_balances === null ? null : f32(data.random_balances);
    if (lots !== null && lots.length === out[0].shares.length) out.push({ kind: 'lots', name: 'lots', shares: lots });
    return out;
  };
  const largest = (all: Line[][]): number => Math.max(0.01, ...all.flatMap((some) => some.flatMap(({ shares }) => Array.from(shares))));

  const canvas = new Canvas((width) => {
    const shown = lines(current);
    return draw(shown, width, Math.min(340, Math.max(240, 0.45 * width)), largest([shown]), say(shown), false);
  });
  const key = h('ul', { class: 'legend inline' });
  const place = h('div', {});
  const groups = h('div', { class: 'multiples' });
  const rest = h('div', { class: 'multiples' });
  const more = h(
    'details',
    {},
    h('summary', {}, `The other ${count(data.groups.length - groups_at_once)} groups`),
    rest,
  );

  const byGroup = (index: number, group: number): Line[] => {
    const out: Line[] = [{ kind: 'this', name: visible(report.point(index).name), shares: f32(report.point(index).balances_by_group[group]) }];
    const other = plain >= 0 && plain !== index ? data.points[plain].balances_by_group[group] : undefined;
    if (other !== undefined) out.push({ kind: 'plain', name: 'plain clustering', shares: f32(other) });
    return out;
  };
  const multiple = (some: Line[], group: number, top: number): HTMLElement =>
    h('figure', {}, h('figcaption', {}, quoted(report.group(group), 30)), draw(some, 220, 130, top, `Group ${report.group(group)}. ${say(some)}`, true));

  const fillGroups = (index: number): void => {
    const parts = report.point(index).balances_by_group.map((_, group) => byGroup(index, group));
    const top = largest(parts);
    const figures = parts.map((some, group) => multiple(some, group, top));
    replace(groups, ...figures.slice(0, groups_at_once));
    replace(rest, ...figures.slice(groups_at_once));
  };

  const has_groups = data.points[data.start].balances_by_group.length > 0;
  const element = section(
    'distribution',
    'Distribution of balance over people',
    h('p', {}, 'A balance of 0 means that some cluster has none of a person’s representatives, 1 that all clusters have equally many.'),
    canvas.element,
    key,
    h('details', {}, h('summary', {}, 'The numbers of this chart'), scrolling('Numbers of the distribution', place)),
    has_groups ? h('h3', {}, 'By group') : null,
    has_groups ? h('p', { class: 'note' }, 'Share of the people of each group, by balance; the same scale in all charts.') : null,
    has_groups ? groups : null,
    data.groups.length > groups_at_once ? more : null,
  );
  return {
    element,
    show(index) {
      current = index;
      const shown = lines(index);
      canvas.redraw();
      replace(
        key,
        ...shown.map(({ kind, name }) =>
          h(
            'li',
            {},
            s(
              'svg',
              { class: 'swatch', width: 32, height: 20, viewBox: '0 0 32 20', 'aria-hidden': 'true' },
              kind === 'this'
                ? s('g', { class: 'line this' }, s('rect', { x: 6, y: 3, width: 20, height: 14 }))
                : s('path', { class: `line ${kind}`, d: 'M2,10L30,10' }),
            ),
            h('span', {}, name),
          ),
        ),
      );
      replace(place, numbers(shown));
      if (has_groups) fillGroups(index);
    },
  };
}
