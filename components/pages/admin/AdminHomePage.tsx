import { FirstSteps } from '../../admin/home/FirstSteps';
import { WaitingWork } from '../../admin/home/WaitingWork';
import { useSite } from '../../api/site';
import type { AdminHomeProps } from '../../contracts/schema';
import { Chart } from '../../ui/chart/Chart';

export function AdminHomePage({ title, firstSteps, waiting, charts }: AdminHomeProps) {
  const site = useSite();
  return (
    <div className="area-page">
      <h1>{title}</h1>
      <FirstSteps firstSteps={firstSteps} />
      <WaitingWork waiting={waiting} />
      {charts.length > 0 && (
        <section className="area-part" aria-labelledby="last-days">
          <h2 className="heading-m" id="last-days">
            The last two weeks
          </h2>
          <div className="area-charts">
            {charts.map((chart) => (
              <Chart key={chart.title} chart={chart} site={site} />
            ))}
          </div>
        </section>
      )}
    </div>
  );
}
