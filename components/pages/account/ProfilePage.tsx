import { ProfileView } from '../../account/ProfileView';
import type { ProfileProps } from '../../contracts/schema';
import { PrivateContent } from '../../layouts/PrivateContent';

export function ProfilePage({ sessions }: Partial<ProfileProps>) {
  return <PrivateContent data={sessions}>{(own) => <ProfileView sessions={own} />}</PrivateContent>;
}
