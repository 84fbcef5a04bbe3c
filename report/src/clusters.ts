// Clusters: their sizes, links and representation, and the groups in them against chance.
import { colour } from './colours';
import type { Report } from './data';
import { h, hidden, replace, scrolling, section, table, type Child, type Section } from './dom';
import type { GroupCell, Point } from './types';
import { cluster, count, fixed, measure, percent, plural, quoted } from './words';

export function clusterName(number: number): HTMLElement {
  return h(
    'span',
    { class: 'cluster' },
    h('span', { class: 'dot', style: `background:${colour(number)}`, 'aria-hidden': 'true' }),
    cluster(number),
  );
}

/** What the file of labels calls a cluster, where that differs from the page's number. */
function labelInFile(report: Report, k: number): Child {
  const name = report.data.cluster_names[k];
  return name === undefined || name === String(k + 1) ? null : h('small', { class: 'in-file' }, 'label ', quoted(name, 24));
}

function clusterTable(report: Report, point: Point): HTMLElement {
  const heads: [string, string][] = [
    ['Cluster', ''],
    ['People', 'size of the cluster'],
    ['Internal links', 'of the weight of the links of its people'],
    ['Conductance', 'share of links that leave; less is better'],
    ['Cut', 'its part of the normalized cut'],
    ['Representatives', 'links to representatives that end here'],
    ['Expected', 'if they were spread by cluster size'],
    ['Poorly represented', 'people of this cluster below the threshold'],
  ];
  const rows = point.cluster_table.map((row, k) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, clusterName(k), labelInFile(report, k)),
      h('td', { 'data-field': 'size' }, count(row.size)),
      h('td', {}, percent(row.internal_share)),
      h('td', {}, fixed(row.conductance)),
      h('td', {}, measure(row.cut)),
      h('td', {}, count(row.representatives)),
      h('td', {}, count(row.expected_representatives)),
      h('td', {}, count(row.poorly_represented)),
    ),
  );
  const titles = heads.map(([head, note]) => h('span', {}, head, note === '' ? null : h('small', {}, note)));
  return table(titles, rows, 'clusters');
}

const most_groups = 40;

/** By group and cluster; the groups with most cells beyond chance come first if there are many. */
function arrange(report: Report, cells: GroupCell[]): GroupCell[][] {
  const rows = report.data.groups.map((): GroupCell[] => []);
  for (const cell of cells) rows[cell.group][cell.cluster] = cell;
  if (rows.length <= most_groups) return rows;
  const beyond = (row: GroupCell[]): number => row.filter((cell) => cell && cell.beyond_chance !== 0).length;
  return rows.sort((a, b) => beyond(b) - beyond(a));
}

function interval(cell: GroupCell): string {
  return cell.low === cell.high ? count(cell.low) : `${count(cell.low)}–${count(cell.high)}`;
}

function heatCell(cell: GroupCell | undefined): HTMLElement {
  if (cell === undefined) return h('td', {}, '–');
  const sign = cell.beyond_chance;
  // The colour says how far from expected; only cells beyond chance have one.
  const ratio = cell.expected > 0 ? Math.abs(cell.count - cell.expected) / cell.expected : 1;
  const strength = Math.round(Math.min(100, 55 + 45 * ratio));
  return h(
    'td',
    {
      class: sign === 0 ? 'heat' : `heat ${sign < 0 ? 'fewer' : 'more'}`,
      style: sign === 0 ? null : `--strength:${strength}%`,
    },
    h(
      'span',
      { class: 'count' },
      sign === 0 ? null : h('span', { class: 'sign', 'aria-hidden': 'true' }, sign < 0 ? '▼' : '▲'),
      count(cell.count),
      sign === 0 ? null : hidden(sign < 0 ? ', fewer than chance gives' : ', more than chance gives'),
    ),
    h('small', {}, hidden('chance gives '), interval(cell)),
  );
}

function heatTable(report: Report, rows: GroupCell[][]): HTMLElement {
  const K = report.data.clusters;
  const group = (row: GroupCell[]): number => (row.find((cell) => cell !== undefined) as GroupCell).group;
  const clusters = Array.from({ length: K }, (_, k) => k);
  const body = rows
    .filter((row) => row.length > 0)
    .map((row) => h('tr', {}, h('th', { scope: 'row' }, quoted(report.group(group(row)))), ...clusters.map((k) => heatCell(row[k]))));
  return table(['Group', ...clusters.map(clusterName)], body, 'heatmap');
}

/** Which groups are missing or rare beyond chance, in words. */
function heatWords(report: Report, cells: GroupCell[]): HTMLElement {
  const fewer = cells.filter((cell) => cell.beyond_chance < 0);
  const groups = new Set(fewer.map((cell) => cell.group)).size;
  const absent = fewer.filter((cell) => cell.count === 0).length;
  const more = cells.filter((cell) => cell.beyond_chance > 0);
  const by_chance = 0.05 * cells.length;
  const parts = [
    fewer.length === 0
      ? 'No group has fewer people in a cluster than chance gives.'
      : `${plural(groups, 'group has', 'groups have')} fewer people in some cluster than chance gives.`,
    `Of ${plural(cells.length, 'cell', 'cells')}, ${count(fewer.length)} ${fewer.length === 1 ? 'has' : 'have'} fewer people and ` +
      `${count(more.length)} ${more.length === 1 ? 'has' : 'have'} more people than random assignment gives in 95 of 100 cases; ` +
      `chance alone would put ${by_chance < 1 ? 'less than one' : `about ${count(by_chance)}`} of them there.`,
  ];
  if (absent > 0) parts.push(`In ${plural(absent, 'cell', 'cells')} beyond chance there is nobody at all.`);
  const worst = [...fewer].sort((a, b) => a.count - a.expected - (b.count - b.expected)).slice(0, 5);
  const items = worst.map((cell) =>
    h(
      'li',
      {},
      'Group “',
      h('strong', {}, quoted(report.group(cell.group))),
      `” in ${cluster(cell.cluster)}: ${count(cell.count)} ${cell.count === 1 ? 'person' : 'people'}; chance alone would give ${interval(cell)}.`,
    ),
  );
  return h('div', { class: 'box', id: 'groups-words' }, h('p', {}, parts.join(' ')), items.length === 0 ? null : h('ul', {}, ...items));
}

export function clusters(report: Report): Section {
  const sizes = h('div', {});
  const groups = h('div', {});
  const element = section('clusters', 'Clusters', scrolling('Table of clusters', sizes), groups);
  let all = false;
  const show = (index: number): void => {
    const point = report.point(index);
    replace(sizes, clusterTable(report, point));
    const cells = point.group_table;
    if (cells === null || cells.length === 0) {
      replace(groups, h('p', { class: 'note' }, 'No groups are known, so there is no table of groups by cluster.'));
      return;
    }
    const rows = arrange(report, cells);
    const cut = rows.length > most_groups && !all;
    const more = h('button', { type: 'button', click: () => ((all = true), show(index)) }, `Show all ${count(rows.length)} groups`);
    replace(
      groups,
      h('h3', {}, 'Groups by cluster'),
      heatWords(report, cells),
      h('p', { class: 'note' }, 'People of each group in each cluster; in small figures, what chance alone would give.'),
      scrolling('People of each group in each cluster', heatTable(report, cut ? rows.slice(0, most_groups) : rows)),
      h(
        'p',
        { class: 'note key' },
        h('span', { class: 'sample fewer' }, '▼ fewer'),
        h('span', { class: 'sample more' }, '▲ more'),
        ' than chance gives; cells without a sign are within chance. Chance: what 95 of 100 random assignments of people to clusters of these sizes give.',
      ),
      cut ? more : null,
    );
  };
  return { element, show };
}
