// The legend of the trade-off chart and what the certificate says, in words.
import { mark } from './chart';
import type { Report } from './data';
import { h, s, type Child } from './dom';
import type { Mark } from './tradeoff';
import type { Maybe } from './types';
import { fixed, known, measure, percent, visible } from './words';

function swatch(...children: Child[]): SVGElement {
  return s('svg', { class: 'swatch', width: 32, height: 20, viewBox: '0 0 32 20', 'aria-hidden': 'true' }, ...children);
}

function entry(sign: SVGElement, name: string, text: string): HTMLElement {
  return h('li', {}, sign, h('span', {}, h('strong', {}, name), ` ${text}`));
}

export function legend(report: Report, all: Mark[]): HTMLElement {
  const { baselines, certificate, points } = report.data;
  const has = (kind: string): boolean => all.some((m) => m.kind === kind);
  const items: HTMLElement[] = [];
  const add = (sign: SVGElement, name: string, text: string): void => {
    items.push(entry(sign, name, text));
  };
  const region = (name: string): SVGElement => swatch(s('rect', { class: `region ${name}`, x: 2, y: 2, width: 28, height: 16 }));
  const spot = (kind: string): SVGElement => swatch(mark(kind, 16, 10));
  if (has('result')) add(spot('result'), 'The result:', 'the clustering that this report is about.');
  if (points.length > 1) {
    add(
      swatch(s('path', { class: 'path', d: 'M2,10L30,10' }), mark('step', 16, 10)),
      'The path:',
      'clusterings with more and more weight on representation. The ring marks the one that is shown.',
    );
  }
  if (has('plain')) add(spot('plain'), 'Plain clustering', 'does not look at representation.');
  if (has('lots')) add(spot('lots'), 'Lots:', 'random labels, which favour nobody. The bars show the spread over draws.');
  if (has('exact')) add(spot('exact'), 'Exact constraint:', 'the method that satisfies the constraint exactly before it rounds to clusters; the rounding costs balance.');
  if (has('plain') && has('lots')) {
    add(
      swatch(s('path', { class: 'coin', d: 'M2,10L30,10' })),
      'A coin toss',
      'between plain clustering and lots. A clustering above this line offers more than tossing a coin.',
    );
  }
  if (certificate !== null && known(certificate.any_bound) && certificate.any_bound > 0)
    add(region('any'), 'No clustering at all', `has a normalized cut below ${measure(certificate.any_bound)}.`);
  // A bound that is no higher than that of every clustering has no region of its own.
  if (certificate !== null && known(certificate.lower_bound) && certificate.lower_bound > 1.001 * (certificate.any_bound ?? 0)) {
    add(
      region('fair'),
      'No clustering this fair:',
      `none that deviates at most as much from the constraint as the result has a normalized cut below ${measure(certificate.lower_bound)}. ` +
        'The deviation is not the balance: the region is drawn from the balance of the result upwards.',
    );
  }
  if (baselines !== null && known(baselines.reachable_balance) && baselines.reachable_balance < 0.9995) {
    add(
      region('above'),
      'No clustering at all',
      `has an average balance above ${fixed(baselines.reachable_balance)}: people have too few representatives for more.`,
    );
  }
  return h('ul', { class: 'legend' }, ...items);
}

/** Yes, hardly or perhaps: about the result, whichever point is shown. */
function answer(report: Report, gap: Maybe): string {
  const { points, start } = report.data;
  const { cut, average_balance: balance, name } = points[start];
  const better = points.find((other) => known(other.cut) && known(cut) && other.cut < 0.999 * cut && (other.average_balance ?? -1) >= (balance ?? 0));
  if (better !== undefined)
    return `Yes: “${visible(better.name)}”, which the slider shows, has a lower cut and no lower balance than “${visible(name)}”.`;
  if (known(gap) && gap < 0.01) return `Hardly: “${visible(name)}” cuts at most ${percent(gap)} more than the least that is possible.`;
  return `Perhaps: no clustering on this page is cheaper than “${visible(name)}” and as balanced, but the bound leaves room for one.`;
}

/** What the certificate says about the cost. */
export function certificateWords(report: Report): HTMLElement {
  const { certificate, points, start } = report.data;
  const title = h('h3', {}, 'Could it be cheaper?');
  if (certificate === null || !known(certificate.lower_bound))
    return h('div', { class: 'box', id: 'certificate' }, title, h('p', {}, 'No bound was computed for this report.'));
  const sentences = [
    answer(report, certificate.gap),
    `The normalized cut of the result is ${measure(points[start].cut)}. No clustering that deviates at most as much from the constraint can have less than ${measure(certificate.lower_bound)}.`,
  ];
  if (known(certificate.gap)) sentences.push(`The result is therefore at most ${percent(certificate.gap)} above the smallest possible cut.`);
  if (known(certificate.price_of_fairness_at_least)) {
    sentences.push(
      certificate.price_of_fairness_at_least > 0
        ? `Whoever wants this much representation must accept at least ${percent(certificate.price_of_fairness_at_least)} more cut than plain clustering has.`
        : 'The bound does not show that representation must cost anything compared with plain clustering.',
    );
  }
  sentences.push(
    certificate.verified
      ? 'The bound was verified by counting eigenvalues.'
      : `The bound holds if the eigensolver missed no eigenvalue; this was not verified${certificate.reason === '' ? '' : ` (${visible(certificate.reason)})`}.`,
  );
  return h('div', { class: 'box', id: 'certificate' }, title, h('p', {}, sentences.join(' ')));
}
