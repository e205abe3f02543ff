import type { SearchProps } from '../../api/pageProps';
import { ActiveFilters } from '../../catalogue/ActiveFilters';
import { Facets, FilterButton } from '../../catalogue/Facets';
import { NoResults } from '../../catalogue/NoResults';
import { NothingFound } from '../../catalogue/NothingFound';
import { Pager } from '../../catalogue/Pager';
import { SearchBox } from '../../catalogue/SearchBox';
import { SearchNotes } from '../../catalogue/SearchNotes';
import { SortMenu } from '../../catalogue/SortMenu';
import { FORMAT, SITE, shop } from '../../ui/samples';
import { Group, State } from './Guide';
import { JAPANESE, UNBROKEN } from './texts';

const ACTIVE = ['Tax', 'Beginner', JAPANESE, UNBROKEN].map((label, index) => ({
  label,
  href: `#filter-${index}`,
}));

const option = { value: 'x', label: 'Beginner', count: 22, selected: false, href: '#lists', nofollow: true };
const FACETS = [
  {
    name: 'level',
    label: 'Level',
    options: [
      option,
      { ...option, value: 'y', label: 'Chosen', selected: true, count: 1 },
      { ...option, value: 'z', label: UNBROKEN.slice(0, 70), count: 123_456 },
    ],
  },
  { name: 'language', label: 'Language, of which there is none', options: [] },
];

const found: Omit<SearchProps, 'facets'> = {
  ...shop(),
  query: 'payrol',
  answer: 'exact',
  isCut: false,
  understood: 'payroll',
  unknown: [],
  asTypedHref: '#search',
  didYouMean: null,
  popular: [{ text: 'payroll', href: '#search' }],
  courses: [],
};

export function ListStates() {
  const { pager, sort } = shop();
  return (
    <>
      <Group id="lists" title="Lists">
        <State label="Facets: plain, chosen, longer than their place; empty ones are left out" ground="bare">
          <div className="guide__facets">
            <Facets facets={FACETS} total={85} format={FORMAT} />
          </div>
        </State>
        <State label="Above the list: nothing chosen, something chosen; the choice of order">
          <div className="guide__row">
            <FilterButton active={0} />
            <FilterButton active={3} />
            <SortMenu options={sort} />
          </div>
        </State>
        <State label="What is chosen">
          <ActiveFilters active={ACTIVE} clearHref="#lists" />
        </State>
        <State label="Pages, in the middle of many">
          <Pager pager={pager} format={FORMAT} />
        </State>
        <State label="Nothing matches" ground="bare">
          <NoResults clearHref="#lists" categories={SITE.categories} />
        </State>
      </Group>
      <Search />
    </>
  );
}

function Search() {
  return (
    <Group id="search" title="Search">
      <State label="The box; type to see suggestions">
        <SearchBox place="page" query="payroll" />
      </State>
      <State label="How results came about: corrected, some of the words, perhaps meant">
        <SearchNotes {...found} answer="corrected" />
        <SearchNotes {...found} answer="partial" unknown={['payrol', UNBROKEN]} />
        <SearchNotes {...found} didYouMean={{ text: 'payroll', href: '#search' }} />
      </State>
      <State label="Nothing found" ground="bare">
        <NothingFound
          {...found}
          answer="none"
          unknown={['payrol']}
          categories={SITE.categories}
          format={FORMAT}
        />
      </State>
    </Group>
  );
}
