import { FORMAT, shop } from '../../fixtures/catalogue';
import { EmptyState } from '../../ui/EmptyState';
import { Pagination } from '../../ui/Pagination';
import { Group, State } from '../guide/Guide';
import { SENTENCE, UNBROKEN } from '../guide/texts';

const noEntries = { entries: [] };

/** Pagination and empty lists in all their states. */
export function ListBlocks() {
  return (
    <>
      <Group id="pages" title="Pagination">
        <State label="In the middle of many">
          <Pagination pagination={shop().pagination} format={FORMAT} />
        </State>
        <State label="A list that only grows: newest, in between, oldest">
          <Pagination pagination={{ previous: null, next: '#pages', ...noEntries }} format={FORMAT} />
          <Pagination pagination={{ previous: '#pages', next: '#pages', ...noEntries }} format={FORMAT} />
          <Pagination pagination={{ previous: '#pages', next: null, ...noEntries }} format={FORMAT} />
        </State>
      </Group>
      <Group id="empty" title="Empty lists" text="What will be here, and one next step.">
        <State label="A page" ground="bare">
          <EmptyState
            title="No course yet"
            text="Courses you create or import are listed here, with their price and state."
            links={[
              { href: '#empty', text: 'Import a file' },
              { href: '#empty-2', text: 'Create the first course' },
            ]}
          />
        </State>
        <State label="A part of a page; longer than its place" ground="bare">
          <EmptyState isSmall title="Nothing waits for you" text="Refunds, reviews and messages come here." />
          <EmptyState isSmall title={UNBROKEN} text={SENTENCE} links={[{ href: '#empty', text: UNBROKEN }]} />
        </State>
      </Group>
    </>
  );
}
