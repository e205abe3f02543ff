import { type Format, saving } from '../../format/format';
import { lowestPrice } from '../../format/lowestPrice';

type PriceProps = {
  listPrice: number;
  price: number;
  lowestBefore?: number;
  saleUntil: string | null;
  format: Format;
};

export function Price({ listPrice, price, lowestBefore, saleUntil, format }: PriceProps) {
  const off = saving(listPrice, price);
  return (
    <div className="price">
      <p className="price__line row">
        <strong className="price__now" data-price={price}>
          {format.price(price)}
        </strong>
        {off > 0 && (
          <s className="price__was">
            <span className="sr-only">Regular price </span>
            {format.money(listPrice)}
          </s>
        )}
        {off > 0 && <span className="badge">{`Save ${format.percent(String(off))}`}</span>}
      </p>
      {off > 0 && lowestBefore !== undefined && (
        <p className="price__lowest">{lowestPrice(lowestBefore, format)}</p>
      )}
      {off > 0 && saleUntil && (
        <p className="price__until">
          Sale price until <time dateTime={saleUntil}>{format.date(saleUntil)}</time>
        </p>
      )}
    </div>
  );
}
