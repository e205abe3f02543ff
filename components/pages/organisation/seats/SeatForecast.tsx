import { Fold } from '../../../admin/Fold';
import type { SeatsPageProps } from '../../../contracts/schema';
import { ShortTable } from '../../../ui/table/ShortTable';
import type { TableFormat } from '../../../ui/table/TableCell';

type SeatForecastProps = { forecast: SeatsPageProps['forecast']; format: TableFormat };

/** How many seats will stand idle by the end of the next month: a few sentences, and on demand the numbers and seats. */
export function SeatForecast({ forecast, format }: SeatForecastProps) {
  const { sentences, reckoned, courses, seats } = forecast;
  return (
    <section className="area-part" id="forecast" aria-labelledby="forecast-title">
      <h2 className="heading-m" id="forecast-title">
        Idle seats to come
      </h2>
      <p>{sentences.join(' ')}</p>
      {reckoned !== null && (
        <Fold title="Which seats, by course, and how this is reckoned">
          <div className="area-page">
            <ShortTable table={courses} format={format} />
            <ShortTable table={seats} format={format} />
            <p className="muted">{reckoned}</p>
          </div>
        </Fold>
      )}
    </section>
  );
}
