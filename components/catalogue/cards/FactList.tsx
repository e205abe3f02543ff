import { Icon, type IconName } from '../../ui/Icon';

export type Fact = { icon: IconName; label: string; value: string };

export function FactList({ facts }: { facts: Fact[] }) {
  return (
    <dl className="facts">
      {facts.map((fact) => (
        <div className="facts__row" key={fact.label}>
          <dt className="facts__label">
            <Icon name={fact.icon} />
            {fact.label}
          </dt>
          <dd className="facts__value">{fact.value}</dd>
        </div>
      ))}
    </dl>
  );
}
