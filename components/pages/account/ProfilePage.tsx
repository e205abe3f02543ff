import { ProfileView } from '../../account/ProfileView';
import type { ProfileProps } from '../../contracts/schema';
import { PrivateContent } from '../../layouts/PrivateContent';

export function ProfilePage({ sessions, ...about }: Partial<ProfileProps>) {
  const { account = null, access = null, hasKnownAddress = false, studentNumber = '' } = about;
  return (
    <PrivateContent data={sessions}>
      {(own) => <ProfileView {...{ account, access, hasKnownAddress, studentNumber }} sessions={own} />}
    </PrivateContent>
  );
}
