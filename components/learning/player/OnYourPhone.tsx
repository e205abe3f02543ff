import { useSite } from '../../api/site';
import { currentAddress } from '../../browser/address';
import { ShowQR } from '../qr/ShowQR';

/**
 * The address of this lesson for another device. Where the learner stopped is the account's, so the address is all
 * that is needed, and it holds nothing secret.
 */
export function OnYourPhone() {
  const { origin } = useSite();
  return (
    <div className="player__phone">
      <ShowQR
        text={origin + currentAddress()}
        label="QR code of this lesson's address"
        buttonText="On your phone"
        hint="Scan it and sign in there: the lesson goes on where you stopped."
        icon="phone"
      />
    </div>
  );
}
