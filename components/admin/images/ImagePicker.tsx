import { useId, useState } from 'react';
import type { SentImage, Upload } from '../../contracts/schema';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { TextField } from '../../forms/TextField';
import { newUuid } from '../../model/uuid';
import { Button } from '../../ui/controls/Button';
import { FileUpload } from '../../ui/upload/FileUpload';
import { convertImage, UnusableImage } from './waitForImage';

const MAX_BYTES = 8 * 2 ** 20;

export type PickedImage = Pick<SentImage, 'src' | 'width' | 'height' | 'alt'>;

type ImagePickerProps = {
  /** What is shown now; null: nothing. */
  current: PickedImage | null;
  label: string;
  /** Text of the button that uses the picture. */
  button: string;
  /** Stores the use of the picture; may reject with ApiProblem. */
  onPick: (image: SentImage) => Promise<unknown>;
};

/** Sends a picture, asks what it shows, and hands over what the site made of it. */
export function ImagePicker({ current, label, button, onPick }: ImagePickerProps) {
  const id = useId();
  const call = useCall();
  const [upload, setUpload] = useState<Upload | null>(null);
  const [image, setImage] = useState<PickedImage | null>(current);
  const [error, setError] = useState('');
  const [altError, setAltError] = useState('');

  async function use(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const alt = String(new FormData(event.currentTarget).get('alt') ?? '').trim();
    setError('');
    setAltError(alt ? '' : 'Say what the picture shows, for people who cannot see it.');
    if (!alt || !upload) return;
    await call.run(async () => {
      try {
        const sent = await convertImage({ uploadId: upload.id, alt, idempotencyKey: newUuid() });
        await onPick(sent);
        setImage(sent);
        setUpload(null);
      } catch (problem) {
        if (!(problem instanceof UnusableImage)) throw problem;
        setError(problem.message);
      }
    });
  }

  return (
    <div className="image-picker">
      {image && (
        <img
          className="image-picker__picture"
          src={image.src}
          width={image.width}
          height={image.height}
          alt={image.alt}
        />
      )}
      <CallError call={call} />
      <FileUpload
        key={image?.src}
        purpose="image"
        label={label}
        accept="image/png,image/jpeg,image/webp"
        maxBytes={MAX_BYTES}
        hint="PNG, JPEG or WebP, up to 8 MiB and 24 megapixels. Nothing but the pixels stays: no place, no camera."
        onDone={setUpload}
      />
      {upload && (
        <form className="area-form" noValidate onSubmit={(event) => void use(event)}>
          <TextField
            id={`${id}-alt`}
            name="alt"
            label="What it shows"
            hint="Read aloud to people who cannot see it."
            maxLength={500}
            required
            error={altError || undefined}
          />
          {error && (
            <p className="upload__error" role="alert">
              {error}
            </p>
          )}
          <Button isBusy={call.isBusy} busyText="Preparing…">
            {button}
          </Button>
        </form>
      )}
    </div>
  );
}
