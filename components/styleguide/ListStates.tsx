import { ActiveFilters } from '../catalogue/list/ActiveFilters';
import { Facets, FilterButton } from '../catalogue/list/Facets';
import { NoResults } from '../catalogue/list/NoResults';
import { SortMenu } from '../catalogue/list/SortMenu';
import { SearchBox } from '../catalogue/search/SearchBox';
import { SearchHelp } from '../catalogue/search/SearchHelp';
import { SearchNotes } from '../catalogue/search/SearchNotes';
import type { SearchProps } from '../contracts/schema';
import { FORMAT, SITE, shop } from '../fixtures/catalogue';
import { Group, State } from './guide/Guide';
import { JAPANESE, UNBROKEN } from './guide/texts';

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

const results: Omit<SearchProps, 'facets'> = {
  ...shop(),
  query: 'payrol',
  answer: 'exact',
  isTruncated: false,
  normalisedQuery: 'payroll',
  unknown: [],
  exactHref: '#search',
  didYouMean: null,
  popular: [{ text: 'payroll', href: '#search' }],
  courses: [],
};

export function ListStates() {
  const { sort } = shop();
  return (
    <>
      <Group id="lists" title="Lists">
        <State label="Facets: plain, chosen, longer than their place; empty ones are left out" ground="bare">
          <div className="guide__facets">
            <Facets facets={FACETS} total={85} format={FORMAT} />
          </div>
        </State>
        <State label="Above the list: nothing chosen, something chosen; the choice of order">
          <div className="guide__row row">
            <FilterButton active={0} />
            <FilterButton active={3} />
            <SortMenu options={sort} />
          </div>
        </State>
        <State label="What is chosen">
          <ActiveFilters active={ACTIVE} clearHref="#lists" />
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
        <SearchNotes {...results} answer="corrected" />
        <SearchNotes {...results} answer="partial" unknown={['payrol', UNBROKEN]} />
        <SearchNotes {...results} didYouMean={{ text: 'payroll', href: '#search' }} />
      </State>
      <State label="Nothing found" ground="bare">
        <SearchHelp
          {...results}
          answer="none"
          unknown={['payrol']}
          categories={SITE.categories}
          format={FORMAT}
        />
      </State>
    </Group>
  );
}
