// The card of one person: representatives per cluster, expected and found, and what would help.
import { clusterName } from './clusters';
import type { Person, Report } from './data';
import { h, replace } from './dom';
import { helpSentence, reasonSentence } from './help';
import { fixed, known, short } from './words';

function bars(person: Person): HTMLElement {
  const most = Math.max(1, ...person.found, ...Array.from(person.expected).filter(known));
  const share = (value: number): string => `width:${((100 * value) / most).toFixed(1)}%`;
  const rows = Array.from(person.found, (found, k) => {
    const expected = person.expected[k];
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, clusterName(k)),
      h(
        'td',
        { class: 'bars', 'aria-hidden': 'true' },
        h('span', { class: 'bar found', style: share(found) }),
        h('span', { class: 'bar expected', style: share(known(expected) ? expected : 0) }),
      ),
      h('td', {}, String(found)),
      h('td', {}, fixed(expected, 1)),
    );
  });
  return h(
    'table',
    { class: 'card-table' },
    h('caption', {}, 'Representatives in each cluster'),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('th', { scope: 'col' }, 'Cluster'),
        h('td', { 'aria-hidden': 'true' }),
        h('th', { scope: 'col' }, h('span', { class: 'dot square found', 'aria-hidden': 'true' }), 'Found'),
        h('th', { scope: 'col' }, h('span', { class: 'dot square expected', 'aria-hidden': 'true' }), 'Expected'),
      ),
    ),
    h('tbody', {}, ...rows),
  );
}

/** The dialog that shows cards; `open` fills it. */
export class Card {
  private readonly body = h('div', {});
  readonly element: HTMLDialogElement = h(
    'dialog',
    { 'aria-labelledby': 'card-title', id: 'card' },
    this.body,
    h('button', { type: 'button', class: 'close', click: () => this.element.close() }, 'Close'),
  );

  constructor(private readonly report: Report) {
    // A click beside the card closes it, as people expect.
    this.element.addEventListener('click', (event) => {
      if (event.target === this.element) this.element.close();
    });
  }

  open(person: Person, cut: number | null): void {
    const { report } = this;
    const balance =
      person.reason === 1
        ? ['Balance: ', known(person.balance) ? `${fixed(person.balance)} by definition, because there is nothing to compare` : 'not defined', '.']
        : [
            'Balance ',
            h('strong', {}, fixed(person.balance)),
            `. The best that ${person.representatives === 1 ? '1 representative allows' : `${person.representatives} representatives allow`} is ${fixed(person.limit)}.`,
          ];
    replace(
      this.body,
      h('h3', { id: 'card-title' }, h('bdi', {}, short(report.name(person.node), 400))),
      h(
        'p',
        {},
        clusterName(person.cluster),
        person.group === null ? '' : ' · group “',
        person.group === null ? null : h('bdi', {}, short(report.group(person.group), 80)),
        person.group === null ? '' : '”',
      ),
      h('p', {}, ...balance),
      h('p', {}, reasonSentence(person, report.data.clusters)),
      bars(person),
      h('p', { class: 'note' }, 'Expected: if the representatives were spread over the clusters by their sizes.'),
      h('h4', {}, 'What would help most'),
      h('p', { class: 'help' }, ...helpSentence(report, person, cut)),
    );
    this.element.showModal();
  }
}
