import type { ActionPreview } from '../../contracts/schema';
import { MissingNotice } from '../previews/MissingNotice';

/** What an action will do, before it is confirmed. */
export function ActionEffects({ preview }: { preview: ActionPreview | null }) {
  const { effects = [], lacks = [] } = preview ?? {};
  return (
    <div role="status" className="action-effects">
      {effects.length > 0 && (
        <section className="area-box" aria-label="What it will do">
          <h2 className="heading-s">What it will do</h2>
          <EffectList effects={effects} />
        </section>
      )}
      <MissingNotice missing={lacks} />
    </div>
  );
}

export function EffectList({ effects }: { effects: string[] }) {
  return (
    <ul className="action-effects__list">
      {effects.map((effect) => (
        <li key={effect}>{effect}</li>
      ))}
    </ul>
  );
}
