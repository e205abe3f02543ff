import { useState } from 'react';
import { copyText } from '../../browser/navigation';
import type { LocaleForms, OrderLine, OrderVoucherCode } from '../../contracts/schema';
import { dateTime } from '../../format/dateTime';
import { fileSize } from '../../format/fileSize';
import type { Format } from '../../format/format';
import { isolated } from '../../model/isolated';
import { Icon } from '../../ui/Icon';
import { LineGift } from './LineGift';

type LineGoodsProps = { line: OrderLine; code: string; isPaid: boolean; format: Format; forms: LocaleForms };

/** What a line gives: courses to learn, seats, files, codes, a gift, a parcel. */
export function LineGoods({ line, code, isPaid, format, forms }: LineGoodsProps) {
  const { learn, downloads, voucherCodes, gift, endedAt } = line;
  return (
    <>
      {endedAt && line.kind !== 'delivery' && (
        <p className="hint">{`${endOf(line)} on ${dateTime(endedAt, forms)}.`}</p>
      )}
      {learn.length > 0 && (
        <ul className="order-links">
          {learn.map(({ name, href }) => (
            <li key={href}>
              <a className="button" href={href} aria-label={`Go to the course: ${name}`}>
                <Icon name="play" />
                Go to the course
              </a>
              {learn.length > 1 && <span aria-hidden="true">{name}</span>}
            </li>
          ))}
        </ul>
      )}
      {line.kind === 'seats' && isPaid && !endedAt && (
        <a className="button" href="/organization/seats">
          Give the seats out
        </a>
      )}
      {downloads.length > 0 && (
        <ul className="order-links">
          {downloads.map(({ name, href, bytes }) => (
            <li key={href}>
              <a href={href} download>
                <Icon name="book" />
                {name}
              </a>
              <span className="hint">{fileSize(bytes, format)}</span>
            </li>
          ))}
        </ul>
      )}
      {voucherCodes.length > 0 && <VoucherCodes codes={voucherCodes} name={line.name} />}
      {gift && <LineGift gift={gift} code={code} number={line.number} format={format} />}
      <Parcel line={line} isPaid={isPaid} forms={forms} />
    </>
  );
}

/** What was never sent is not taken back. */
function endOf({ fulfilment, parcels }: OrderLine): string {
  return fulfilment === 'shipped' && parcels.length === 0 ? 'Cancelled' : 'Taken back';
}

type LineParcel = OrderLine['parcels'][number];

/** With whom it is on its way, and the number of its parcel. */
function wayOf({ carrier, tracking }: LineParcel): string {
  return `${carrier && ` with ${isolated(carrier)}`}${tracking && `, number ${tracking}`}`;
}

const placeOf = (parcel: LineParcel, forms: LocaleForms) =>
  parcel.deliveredAt
    ? `Delivered on ${dateTime(parcel.deliveredAt, forms)}.`
    : `Sent on ${dateTime(parcel.shippedAt, forms)}${wayOf(parcel)}.`;

type ParcelProps = { line: OrderLine; isPaid: boolean; forms: LocaleForms };

function Parcel({ line, isPaid, forms }: ParcelProps) {
  const { fulfilment, parcels, toSend, endedAt } = line;
  const [only, ...more] = parcels;
  if (only && more.length === 0 && !toSend) return <p className="hint">{placeOf(only, forms)}</p>;
  if (only) {
    return (
      <ul className="hint" aria-label={`Parcels: ${line.name}`}>
        {parcels.map((parcel) => (
          <li key={parcel.number}>{`${parcel.quantity} of ${line.quantity}: ${placeOf(parcel, forms)}`}</li>
        ))}
        {toSend > 0 && (
          <li>{`${toSend} of ${line.quantity}: Not sent yet. It follows in another parcel.`}</li>
        )}
      </ul>
    );
  }
  if (!isPaid || fulfilment !== 'shipped' || endedAt) return null;
  if (line.refundedQuantity >= line.quantity) return <p className="hint">Cancelled. It will not be sent.</p>;
  return <p className="hint">Not sent yet. We email you when it is on its way.</p>;
}

type VoucherCodesProps = { codes: OrderVoucherCode[]; name: string };

/** The codes of a voucher line, each with a button that copies it. */
function VoucherCodes({ codes, name }: VoucherCodesProps) {
  const [status, setStatus] = useState('');

  async function copy(code: string) {
    setStatus((await copyText(code)) ? `${code} copied` : 'Select the code and copy it by hand.');
  }

  return (
    <div className="order-codes">
      <ul aria-label={`Codes: ${name}`}>
        {codes.map(({ code, stateText, usedAt, voidAt }) => (
          <li key={code} className="order-code">
            <code className="order-code__text">{code}</code>
            {usedAt || voidAt ? (
              <span className="hint">{stateText}</span>
            ) : (
              <button type="button" className="text-button" onClick={() => void copy(code)}>
                <Icon name="copy" />
                Copy<span className="sr-only">{` ${code}`}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      <p className="hint" role="status">
        {status}
      </p>
    </div>
  );
}
