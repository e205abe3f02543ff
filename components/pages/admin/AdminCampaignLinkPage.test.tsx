import { render, screen } from '@testing-library/react';
import type { CampaignLinkProps } from '../../contracts/schema';
import { AdminCampaignLinkPage } from './AdminCampaignLinkPage';

const LINK = 'https://shop.example/shop?utm_source=news';
const PROPS: CampaignLinkProps = {
  title: 'Make a link',
  path: '/admin/visits/link',
  fields: [
    { name: 'to', label: 'Page', hint: 'Its address or path, such as /shop', value: '/shop', error: '' },
    { name: 'source', label: 'Source', hint: 'Who shows the link', value: 'news', error: '' },
  ],
  link: LINK,
  countedAs: [{ label: 'Channel', text: 'Other campaigns' }],
};

it('shows the link, its code and how reports count it', async () => {
  render(<AdminCampaignLinkPage {...PROPS} />);
  expect(screen.getByText(LINK)).toBeInTheDocument();
  expect(screen.getByText('Other campaigns')).toBeInTheDocument();
  expect(await screen.findByRole('img', { name: `QR code of ${LINK}` })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Copy the link' })).toBeInTheDocument();
});

it('says at a field why its value cannot be used, and shows no link', () => {
  const fields = [
    { name: 'to', label: 'Page', hint: '', value: '/x', error: 'Give the address of a page of this shop.' },
  ];
  render(<AdminCampaignLinkPage {...PROPS} fields={fields} link={null} countedAs={[]} />);
  const field = screen.getByLabelText('Page');
  expect(field).toBeInvalid();
  expect(field).toHaveAccessibleDescription('Give the address of a page of this shop.');
  expect(screen.queryByRole('heading', { name: 'Your link' })).toBeNull();
});
