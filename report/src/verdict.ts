// The verdict: the tool's sentences first, then the numbers behind them.
import type { Report } from './data';
import { h, replace, section, type Section } from './dom';
import type { Point } from './types';
import { count, fixed, known, measure, percent, visible } from './words';

interface Fact {
  field: keyof Point;
  label: string;
  note: string;
  value(point: Point): string;
}

const main_facts = 8;

const facts: Fact[] = [
  { field: 'cut', label: 'Normalized cut', note: 'links between clusters; less is better', value: (p) => measure(p.cut) },
  {
    field: 'average_balance',
    label: 'Average balance',
    note: 'from 0 (some cluster has nobody) to 1 (even)',
    value: (p) => fixed(p.average_balance),
  },
  { field: 'minimum_balance', label: 'Minimum balance', note: 'of the worst represented person', value: (p) => fixed(p.minimum_balance) },
  {
    field: 'without',
    label: 'Partly unrepresented',
    note: 'people with no representative in some cluster',
    value: (p) => count(p.without),
  },
  {
    field: 'below_threshold',
    label: 'Poorly represented',
    note: 'people with a balance below the threshold',
    value: (p) => count(p.below_threshold),
  },
  {
    field: 'without_representatives',
    label: 'No representatives at all',
    note: 'people whom nobody else represents',
    value: (p) => count(p.without_representatives),
  },
  {
    field: 'structure_kept',
    label: 'Structure kept',
    note: '100 %: as plain clustering; 0 %: as lots',
    value: (p) => percent(p.structure_kept),
  },
  {
    field: 'fairness_gained',
    label: 'Fairness gained',
    note: '0 %: as plain clustering; 100 %: as lots; above, fairer than lots',
    value: (p) => percent(p.fairness_gained),
  },
  {
    field: 'proportional_balance',
    label: 'Proportional balance',
    note: 'average, with counts divided by cluster sizes',
    value: (p) => fixed(p.proportional_balance),
  },
  { field: 'ratio_cut', label: 'Ratio cut', note: 'the cut divided by cluster sizes', value: (p) => measure(p.ratio_cut) },
  { field: 'modularity', label: 'Modularity', note: 'internal links beyond those of a random graph', value: (p) => fixed(p.modularity) },
];

function tiles(some: Fact[], point: Point): HTMLElement[] {
  return some
    .filter(({ field }) => known(point[field] as number | null))
    .map((fact) =>
      h(
        'div',
        {},
        h('dt', {}, fact.label),
        h('dd', { class: 'value', 'data-field': fact.field }, fact.value(point)),
        h('dd', { class: 'note' }, fact.note),
      ),
    );
}

function threshold(report: Report): string {
  const { value, chosen_by } = report.data.threshold;
  const who =
    chosen_by === 'default'
      ? 'This threshold is the default of repsc; nobody chose it for these data.'
      : 'This threshold was chosen by whoever made this report.';
  return `People with a balance below ${fixed(value)} are counted as poorly represented. ${who}`;
}

export function verdict(report: Report): Section {
  const sentences = h('div', { class: 'verdict' });
  const shown = h('p', { class: 'shown' });
  const numbers = h('dl', { class: 'facts' });
  const others = h('dl', { class: 'facts' });
  const element = section(
    'verdict',
    'Verdict',
    shown,
    sentences,
    h('p', { class: 'note', id: 'threshold' }, threshold(report)),
    numbers,
    h('details', {}, h('summary', {}, 'More measures'), others),
  );
  return {
    element,
    show(index) {
      const point = report.point(index);
      replace(shown, 'Shown: ', h('strong', {}, visible(point.name)), point.what === '' ? '' : `, ${visible(point.what)}`);
      replace(sentences, ...point.verdict.map((sentence) => h('p', {}, visible(sentence))));
      replace(numbers, ...tiles(facts.slice(0, main_facts), point));
      replace(others, ...tiles(facts.slice(main_facts), point));
    },
  };
}
