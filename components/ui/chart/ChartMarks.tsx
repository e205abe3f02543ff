import type { ChartSeries } from '../../contracts/schema';

/** Series differ by dash, marker and pattern, and only then by colour. The colours are in chart.css. */
export function seriesClass(series: ChartSeries, place: number): string {
  return `chart__series chart__series--${series.isPrevious ? 'previous' : place + 1}`;
}

const MARKERS = [
  'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z',
  'M-3.6-3.6h7.2v7.2h-7.2z',
  'M0-4.8l4.7 8.4h-9.4z',
  'M0-5.2l5.2 5.2l-5.2 5.2l-5.2-5.2z',
];

type MarkerProps = { place: number; x: number; y: number };

export function Marker({ place, x, y }: MarkerProps) {
  return <path className="chart__marker" d={MARKERS[place]} transform={`translate(${x} ${y})`} />;
}

export function patternId(id: string, place: number): string {
  return `${id}-pattern-${place}`;
}

export function barClassOf(place: number): string {
  return place === 0 ? 'chart__bar chart__bar--solid' : 'chart__bar';
}

/** Fill of the bars of a series; the first is solid. */
export function fillOf(id: string, place: number): string | undefined {
  return place === 0 ? undefined : `url(#${patternId(id, place)})`;
}

const PATTERNS = ['', 'M-2 2l4-4M0 8l8-8M6 10l4-4', 'M2 2h2v2h-2zM6 6h2v2h-2z', 'M0 2h8M0 6h8'];

/** Patterns of the bars, and the hatching of what is not finished. */
export function Patterns({ id, series }: { id: string; series: ChartSeries[] }) {
  return (
    <defs>
      {series.map((entry, place) =>
        place === 0 ? null : (
          <pattern
            key={entry.label}
            id={patternId(id, place)}
            className={seriesClass(entry, place)}
            width="8"
            height="8"
            patternUnits="userSpaceOnUse"
          >
            <rect className="chart__pattern-ground" width="8" height="8" />
            <path className={`chart__pattern chart__pattern--${place + 1}`} d={PATTERNS[place]} />
          </pattern>
        ),
      )}
      <pattern id={`${id}-unfinished`} width="7" height="7" patternUnits="userSpaceOnUse">
        <path className="chart__hatch" d="M-1 1l2-2M0 7l7-7M6 8l2-2" />
      </pattern>
    </defs>
  );
}

/** A piece of line with its marker, or of a bar, as the legend shows it. */
export function Swatch({ id, series, place, isBar }: SwatchProps) {
  return (
    <svg className={`chart__swatch ${seriesClass(series, place)}`} width="30" height="14" aria-hidden="true">
      {isBar ? (
        <rect
          className={barClassOf(place)}
          x="8"
          y="1"
          width="14"
          height="12"
          rx="2"
          fill={fillOf(id, place)}
        />
      ) : (
        <>
          <path className="chart__line" d="M1 7H29" />
          <Marker place={place} x={15} y={7} />
        </>
      )}
    </svg>
  );
}

type SwatchProps = { id: string; series: ChartSeries; place: number; isBar: boolean };
