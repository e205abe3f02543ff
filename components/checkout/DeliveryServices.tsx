import type { CheckoutServiceSchema } from '../contracts/schema';
import type { Format } from '../format/format';

type DeliveryServicesProps = {
  services: readonly CheckoutServiceSchema[];
  /** The name of the chosen one; "" for the cheapest. */
  chosen: string;
  format: Format;
  onChoose: (name: string) => void;
};

/** How the goods are delivered: price and days of each service. */
export function DeliveryServices({ services, chosen, format, onChoose }: DeliveryServicesProps) {
  if (services.length === 0) return null;
  const isKnown = services.some(({ name }) => name === chosen);
  return (
    <fieldset className="checkout__part panel">
      <legend>
        <h2 className="heading-m">Delivery service</h2>
      </legend>
      <div className="choice__options">
        {services.map((service, index) => (
          <label className="option" key={service.name}>
            <input
              id={index === 0 ? 'service' : `service-${index}`}
              className="option__radio"
              type="radio"
              name="service"
              value={service.name}
              checked={isKnown ? service.name === chosen : service.isChosen}
              onChange={() => onChoose(service.name)}
            />
            <span className="option__words">
              <span className="option__label">{service.label}</span>
              <span className="option__note hint">{service.days}</span>
            </span>
            <ServicePrice service={service} format={format} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function ServicePrice({ service, format }: { service: CheckoutServiceSchema; format: Format }) {
  const { priceMinor, listMinor } = service;
  return (
    <span className="option__price">
      {priceMinor < listMinor && (
        <>
          <s className="price__was">
            <span className="sr-only">Regular price </span>
            {format.money(listMinor)}
          </s>{' '}
        </>
      )}
      {format.price(priceMinor)}
    </span>
  );
}
