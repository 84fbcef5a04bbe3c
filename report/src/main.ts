// Puts the page together from its sections and shows the first point.
import { clusters } from './clusters';
import { read, type Report } from './data';
import { distribution } from './distribution';
import { h, replace, type Section } from './dom';
import { graph } from './graph';
import { guide } from './guide';
import { people } from './people';
import { provenance } from './provenance';
import { slider } from './slider';
import { tradeoff } from './tradeoff';
import { verdict } from './verdict';
import { plural, visible } from './words';

function header(report: Report): HTMLElement {
  const { title, nodes, clusters: K, groups, provenance: from } = report.data;
  const facts = [plural(nodes, 'person', 'people'), plural(K, 'cluster', 'clusters')];
  if (groups.length > 0) facts.push(plural(groups.length, 'group', 'groups'));
  facts.push(`made ${visible(from.made.slice(0, 10))} by repsc ${visible(from.version)}`);
  return h('header', {}, h('h1', {}, h('bdi', {}, visible(title))), h('p', { class: 'note' }, facts.join(' · ')), guide(report));
}

const titles: { [id: string]: string } = {
  verdict: 'Verdict',
  tradeoff: 'Trade-off',
  clusters: 'Clusters',
  people: 'People',
  distribution: 'Distribution',
  graph: 'Graph',
  provenance: 'Provenance',
};

function contents(sections: HTMLElement[]): HTMLElement {
  return h(
    'nav',
    { 'aria-label': 'Sections' },
    h('ul', {}, ...sections.map((part) => h('li', {}, h('a', { href: `#${part.id}` }, titles[part.id])))),
  );
}

function start(place: HTMLElement, report: Report): void {
  const choose = (index: number): void => parts.forEach((part) => part?.show(index));
  const parts: (Section | null)[] = [
    verdict(report),
    slider(report, choose),
    tradeoff(report, choose),
    clusters(report),
    people(report),
    distribution(report),
    graph(report),
  ];
  const elements = parts.flatMap((part) => (part === null ? [] : [part.element]));
  elements.push(provenance(report));
  document.title = visible(report.data.title);
  replace(place, header(report), contents(elements.filter(({ id }) => id !== '')), h('main', {}, ...elements));
  choose(report.data.start);
  document.documentElement.setAttribute('data-ready', '');
}

const page = document.getElementById('page') as HTMLElement;
try {
  start(page, read());
} catch (error) {
  // A page that cannot be shown says so, instead of staying empty.
  replace(page, h('main', {}, h('h1', {}, 'This report cannot be shown'), h('p', { class: 'notice' }, `The data in the file are damaged or of another version: ${(error as Error).message}`)));
  throw error;
}
