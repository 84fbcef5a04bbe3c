// The graph: every person where there are few, else the clusters and the links between them.
import type { Body } from 'd3-force';
import { drawing } from './chart';
import { clusterName } from './clusters';
import { colour } from './colours';
import { f32, u16, u32, type Report } from './data';
import { h, replace, s, scrolling, section, table, type Child, type Section } from './dom';
import { helpText, reason } from './help';
import { layOut } from './layout';
import type { NodeGraph } from './types';
import { cluster, count, fixed, measure, plural, quoted } from './words';

const most_edges = 12000;
/** Few enough to be seen among the others. */
const ringed = (people: number): number => Math.min(20, Math.ceil(people / 8));

/** All edges, or every so manieth where there are too many to draw. */
function thin(edges: Uint32Array): Uint32Array {
  const number = edges.length / 2;
  if (number <= most_edges) return edges;
  const out = new Uint32Array(2 * most_edges);
  for (let e = 0; e < most_edges; ++e) {
    const from = Math.floor((e * number) / most_edges);
    out.set(edges.subarray(2 * from, 2 * from + 2), 2 * e);
  }
  return out;
}

/** Start positions, spread a little by the golden angle so that no two are the same. */
function startBodies(graph: NodeGraph): Body[] {
  const x = f32(graph.x);
  const y = f32(graph.y);
  const size = 20 * Math.sqrt(graph.count);
  return Array.from({ length: graph.count }, (_, i) => ({
    x: (x[i] - 0.5) * size + 0.01 * Math.cos(2.4 * i) * Math.sqrt(i + 1),
    y: (y[i] - 0.5) * size + 0.01 * Math.sin(2.4 * i) * Math.sqrt(i + 1),
  }));
}

function nodeGraph(report: Report, graph: NodeGraph): Section {
  const all = u32(graph.edges);
  const edges = thin(all);
  const bodies = startBodies(graph);
  const lines = s('path', { class: 'edges', 'stroke-opacity': Math.max(0.1, Math.min(0.5, 25 / Math.sqrt(edges.length + 1))).toFixed(2) });
  const titles = bodies.map(() => s('title', {}));
  const radius = graph.count > 600 ? 4 : graph.count > 200 ? 6 : 9;
  const circles = bodies.map((_, i) => s('circle', { class: 'node', r: radius }, titles[i]));
  // Colours repeat beyond eight clusters and are no help to everybody: small graphs have numbers in the dots.
  const numbers = graph.count <= 200 ? bodies.map(() => s('text', { class: 'node-label', 'text-anchor': 'middle' })) : [];
  const rings = s('g', {});
  const names = s('g', {});
  const picture = drawing(900, 600, '', lines, s('g', {}, ...circles), s('g', {}, ...numbers), rings, names);
  picture.removeAttribute('width');
  picture.removeAttribute('height');
  const worst = h('ol', { class: 'columns' });
  const key = h('ul', { class: 'legend inline' }, ...Array.from({ length: report.data.clusters }, (_, k) => h('li', {}, clusterName(k))));
  let labels: Uint16Array = new Uint16Array(graph.count);
  let marked: number[] = [];

  const place = (): void => {
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const { x, y } of bodies) {
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
    const scale = Math.min(860 / (right - left || 1), 560 / (bottom - top || 1));
    const at = ({ x, y }: Body): [string, string] => [
      (450 + scale * (x - (left + right) / 2)).toFixed(1),
      (300 + scale * (y - (top + bottom) / 2)).toFixed(1),
    ];
    const spots = bodies.map(at);
    spots.forEach(([x, y], i) => {
      circles[i].setAttribute('cx', x);
      circles[i].setAttribute('cy', y);
      numbers[i]?.setAttribute('transform', `translate(${x},${Number(y) + 4})`);
    });
    const parts: string[] = [];
    for (let e = 0; e < edges.length; e += 2) parts.push(`M${spots[edges[e]].join()}L${spots[edges[e + 1]].join()}`);
    lines.setAttribute('d', parts.join(''));
    replace(rings, ...marked.map((i) => s('circle', { class: 'ring', cx: spots[i][0], cy: spots[i][1], r: radius + 5 })));
    replace(names, ...clusterLabels(spots));
  };

  /** The number of each cluster in the middle of its people: medians, as stragglers lie among other clusters. */
  const clusterLabels = (spots: [string, string][]): Child[] => {
    if (graph.count <= 200) return [];
    const median = (k: number, axis: 0 | 1): number => {
      const sorted = spots.filter((_, i) => labels[i] === k).map((spot) => Number(spot[axis])).sort((a, b) => a - b);
      return sorted[sorted.length >> 1];
    };
    const middles = Array.from({ length: report.data.clusters }, (_, k) => ({ k, x: median(k, 0), y: median(k, 1) })).filter(
      ({ x }) => x !== undefined,
    );
    // Where clusters are mixed their middles coincide and say nothing.
    const mixed = middles.some((a) => middles.some((b) => a.k < b.k && Math.hypot(a.x - b.x, a.y - b.y) < 50));
    if (mixed) return [];
    return middles.map(({ k, x, y }) => s('text', { class: 'cluster-label', x, y: y + 7, 'text-anchor': 'middle' }, String(k + 1)));
  };

  const drop = all.length > edges.length ? ` Of ${count(all.length / 2)} links, ${count(edges.length / 2)} are drawn.` : '';
  const element = section(
    'graph',
    'Graph',
    h(
      'p',
      {},
      `Each dot is a person, each line a link of the similarity graph; colours and numbers are clusters. The rings mark the ${ringed(report.data.nodes)} worst represented people.${drop}`,
    ),
    key,
    h('div', { class: 'chart graph' }, picture),
    h('details', {}, h('summary', {}, 'The people with rings'), worst),
  );
  // The first picture waits for the layout to begin, so that the page answers sooner.
  let placed = false;
  layOut(bodies, edges, (done) => {
    placed = true;
    place();
    if (done) element.setAttribute('data-settled', '');
  });
  return {
    element,
    show(index) {
      const point = report.point(index);
      if (point.labels !== null) labels = u16(point.labels);
      const people = report.people(index).slice(0, ringed(report.data.nodes));
      marked = people.map(({ node }) => node);
      circles.forEach((circle, i) => {
        circle.setAttribute('style', `fill:${colour(labels[i])}`);
        if (numbers[i]) numbers[i].textContent = String(labels[i] + 1);
        titles[i].textContent = `${report.name(i)}, ${cluster(labels[i])}`;
      });
      for (const person of people)
        titles[person.node].textContent = `${report.name(person.node)}, ${cluster(person.cluster)}, balance ${fixed(person.balance)}: ${reason(person)}`;
      picture.setAttribute(
        'aria-label',
        `Graph of ${plural(graph.count, 'person', 'people')} in ${plural(report.data.clusters, 'cluster', 'clusters')} with ${plural(all.length / 2, 'link', 'links')}. The worst represented are listed below.`,
      );
      replace(
        worst,
        ...people.map((person) =>
          h('li', { title: helpText(report, person, point.cut) }, quoted(report.name(person.node)), `, ${cluster(person.cluster)}, balance ${fixed(person.balance)}`),
        ),
      );
      if (placed) place();
    },
  };
}

function clusterPicture(report: Report, index: number): SVGSVGElement {
  const point = report.point(index);
  const K = report.data.clusters;
  const links = f32(point.links);
  const [width, height] = [900, 560];
  const biggest = Math.max(1, ...point.cluster_table.map(({ size }) => size));
  const room = K < 2 ? 120 : Math.min(80, (0.8 * Math.PI * 200) / K);
  const radius = (k: number): number => Math.max(6, room * Math.sqrt(point.cluster_table[k].size / biggest));
  const spot = (k: number): [number, number] => {
    if (K < 2) return [width / 2, height / 2];
    const turn = (2 * Math.PI * k) / K - Math.PI / 2;
    return [width / 2 + 1.5 * 190 * Math.cos(turn), height / 2 + 190 * Math.sin(turn)];
  };
  const between: { a: number; b: number; weight: number }[] = [];
  for (let a = 0; a < K; ++a) for (let b = a + 1; b < K; ++b) between.push({ a, b, weight: links[a * K + b] });
  const strongest = Math.max(...between.map(({ weight }) => weight), Number.MIN_VALUE);
  const lines = between
    .filter(({ weight }) => weight > 0)
    .map(({ a, b, weight }) => {
      const [[x1, y1], [x2, y2]] = [spot(a), spot(b)];
      return s(
        'line',
        { class: 'bundle', x1, y1, x2, y2, 'stroke-width': Math.max(0.75, (18 * weight) / strongest) },
        s('title', {}, `${cluster(a)} and ${cluster(b)}: links of weight ${measure(weight)}`),
      );
    });
  const circles = point.cluster_table.map(({ size }, k) => {
    const [x, y] = spot(k);
    const r = radius(k);
    return s(
      'g',
      { transform: `translate(${x},${y})` },
      s('circle', { class: 'node', r, style: `fill:${colour(k)}` }, s('title', {}, `${cluster(k)}: ${plural(size, 'person', 'people')}, links of weight ${measure(links[k * K + k])} inside`)),
      s('text', { class: 'cluster-label', y: 8, 'text-anchor': 'middle' }, String(k + 1)),
      K <= 24 ? s('text', { class: 'size-label', y: r + 20, 'text-anchor': 'middle' }, count(size)) : null,
    );
  });
  return drawing(
    width,
    height,
    `Clusters as circles: ${point.cluster_table.map(({ size }, k) => `${cluster(k)} has ${plural(size, 'person', 'people')}`).join(', ')}. The weights of links between them are in the table below.`,
    ...lines,
    ...circles,
  );
}

function linkTable(report: Report, index: number): HTMLElement {
  const K = report.data.clusters;
  const links = f32(report.point(index).links);
  const clusters = Array.from({ length: K }, (_, k) => k);
  const row = (a: number): HTMLElement =>
    h('tr', {}, h('th', { scope: 'row' }, cluster(a)), ...clusters.map((b) => h('td', {}, measure(links[a * K + b]))));
  return table(['Links from', ...clusters.map((k) => `to ${k + 1}`)], clusters.map(row));
}

function clusterGraph(report: Report): Section {
  const place = h('div', { class: 'chart graph' });
  const weights = h('div', {});
  const element = section(
    'graph',
    'Graph of clusters',
    h('p', {}, 'There are too many people to draw. Each circle is a cluster, its area the number of its people; each line is as wide as the links between two clusters weigh.'),
    place,
    h('details', {}, h('summary', {}, 'The weights of the links'), scrolling('Weights of links between clusters', weights)),
  );
  return {
    element,
    show(index) {
      const picture = clusterPicture(report, index);
      picture.removeAttribute('width');
      picture.removeAttribute('height');
      replace(place, picture);
      replace(weights, linkTable(report, index));
    },
  };
}

export function graph(report: Report): Section | null {
  const { graph: data } = report.data;
  if (data === null) return null;
  return data.kind === 'nodes' ? nodeGraph(report, data) : clusterGraph(report);
}
