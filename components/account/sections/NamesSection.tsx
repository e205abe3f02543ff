import { getProfile } from '../api/account';
import { notify } from '../ui/toasts';
import { NamesForm } from './NamesForm';
import { LoadedPart, Section } from './Section';
import { useLoaded } from './useLoaded';

export function NamesSection() {
  const loaded = useLoaded(getProfile);
  return (
    <Section id="names" title="About you" text="As it stands on certificates and receipts.">
      <LoadedPart loaded={loaded} what="profile">
        {(profile) => {
          const own = profile.attributes.filter(({ isReadOnly }) => !isReadOnly);
          const fixed = profile.attributes.filter(
            ({ isReadOnly, name }) => isReadOnly && profile.profile[name],
          );
          return (
            <>
              {fixed.length > 0 && (
                <dl className="account-facts">
                  {fixed.map(({ name, title }) => (
                    <div key={name}>
                      <dt>{title}</dt>
                      <dd>{profile.profile[name]}</dd>
                    </div>
                  ))}
                </dl>
              )}
              {own.length > 0 && (
                <NamesForm
                  profile={profile}
                  attributes={own}
                  submit="Save"
                  onSaved={(saved) => {
                    loaded.set(saved);
                    void notify('success', 'Your profile was saved.');
                  }}
                />
              )}
            </>
          );
        }}
      </LoadedPart>
    </Section>
  );
}
