import type { Facet, FacetOption } from '../../contracts/schema';
import type { Format } from '../../format/format';
import { Icon } from '../../ui/Icon';

type FacetsProps = { facets: Facet[]; total: number; format: Format };

/** Beside the results on wide screens, a sheet opened by FilterButton on narrow ones; plain links either way. */
export function Facets({ facets, total, format }: FacetsProps) {
  return (
    <nav id="filters" className="filters" aria-label="Filters" popover="auto">
      <div className="filters__head">
        <h2 className="heading-s">Filters</h2>
        <button
          type="button"
          className="filters__close"
          popoverTarget="filters"
          popoverTargetAction="hide"
        >{`Show ${format.count(total)}`}</button>
      </div>
      {facets.filter(hasOptions).map((facet) => (
        <details className="facet" key={facet.name} open>
          <summary className="facet__label">{facet.label}</summary>
          <ul className="facet__options">
            {facet.options.map((option) => (
              <li key={option.value}>{facetLink(option, format)}</li>
            ))}
          </ul>
        </details>
      ))}
    </nav>
  );
}

function facetLink({ label, count, selected, href, nofollow }: FacetOption, format: Format) {
  return (
    <a
      className="facet__option"
      href={href}
      rel={nofollow ? 'nofollow' : undefined}
      aria-current={selected ? 'true' : undefined}
    >
      {label}
      <span className="facet__count">{format.count(count)}</span>
    </a>
  );
}

export function FilterButton({ active }: { active: number }) {
  return (
    <button type="button" className="toolbar__filters" popoverTarget="filters">
      <Icon name="sliders" />
      {active > 0 ? `Filters (${active})` : 'Filters'}
    </button>
  );
}

function hasOptions(facet: Facet): boolean {
  return facet.options.length > 0;
}
