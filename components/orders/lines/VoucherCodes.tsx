import { useState } from 'react';
import { copyText } from '../../browser/navigation';
import type { OrderVoucherCode } from '../../contracts/schema';
import { Icon } from '../../ui/Icon';

type VoucherCodesProps = { codes: OrderVoucherCode[]; name: string };

/** The codes of a voucher line, each with a button that copies it. */
export function VoucherCodes({ codes, name }: VoucherCodesProps) {
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
