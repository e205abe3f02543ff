import texts from '../../contracts/sign_in_errors.json';
import { IdentityCard } from './card/IdentityCard';

/** A mail's link that was opened in another browser than the one that waits for it. */
export function OtherBrowser({ code }: { code: string }) {
  const known: Record<string, string> = texts;
  const text = known.otherClient ?? 'Enter the OTP code in the originating client: {otp}';
  return (
    <IdentityCard title="Enter this code where you began" step={code}>
      {code ? (
        <>
          <p>{text.replace('{otp}', code)}</p>
          <p className="identity__code">{code}</p>
          <p className="hint">It expires in five minutes. Then you can close this page.</p>
        </>
      ) : (
        <p>The code of this link has expired. Ask for a new one where you began.</p>
      )}
    </IdentityCard>
  );
}
