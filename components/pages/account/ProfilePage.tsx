import { ProfileView } from '../../account/ProfileView';

export function ProfilePage() {
  return <ProfileView />;
}
