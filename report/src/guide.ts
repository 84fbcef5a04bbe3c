// How to read this page.
import type { Report } from './data';
import { h } from './dom';

/** Who represents a person on this page. */
export function representatives({ data }: Report): string {
  return data.representatives === 'group'
    ? 'A person’s representatives are the people of the same group, the person included.'
    : 'A person’s representatives are the people who are linked with them in the representation graph.';
}

const terms: [string, string][] = [
  ['Similarity graph', 'Says who is alike. Clusters should keep its links inside.'],
  [
    'Balance',
    'For each person: the number of representatives in the cluster with fewest of them, divided by the number in the cluster with most. 1: as many in every cluster; 0: none in some cluster.',
  ],
  ['Normalized cut', 'The weight of the links between clusters, each cluster relative to the weight of all its links. Less is better.'],
  ['Plain clustering', 'Clusters from the similarity graph alone, without attention to representation.'],
  ['Lots', 'Clusters dealt at random. They favour nobody and keep no structure: a scale for the other numbers.'],
  ['Structure kept', 'Where the cut lies between that of lots (0 %) and that of plain clustering (100 %).'],
  ['Fairness gained', 'Where the average balance lies between that of plain clustering (0 %) and that of lots, or of the exact method if that is higher (100 %). It can be above 100 %: fairer than lots.'],
  ['Representation constraint', 'Asks that every cluster has the same share of a person’s representatives as it has of all people. The deviation measures by how much clusters miss it.'],
  ['Certificate', 'A bound that was computed: no clustering, made by whatever method, has a smaller cut and deviates as little from the representation constraint.'],
  ['Chance', 'An interval that holds the count in 95 of 100 random assignments of people to clusters of the same sizes. A count inside of it is no evidence of anything.'],
];

export function guide(report: Report): HTMLElement {
  return h(
    'details',
    { class: 'guide' },
    h('summary', {}, 'How to read this page'),
    h(
      'p',
      {},
      'People were put into clusters. This page says how evenly the representatives of each person are spread over the clusters, what that cost, and what was possible. It calls nothing fair or unfair: it gives the numbers, and the decision is yours.',
    ),
    h('dl', {}, h('dt', {}, 'Representatives'), h('dd', {}, `They can speak for a person. ${representatives(report)}`), ...terms.flatMap(([term, text]) => [h('dt', {}, term), h('dd', {}, text)])),
  );
}
