import type { Area, FlowName } from '../../api/identity';

type Wording = {
  title: string;
  intro: string;
  signIn: string;
  forgot: string;
  nameLabel: string;
  /** Only learners register by themselves. */
  register: string | null;
};

/** Texts and addresses of the three areas; they share one provider and one form. */
export const AREAS: Record<Area, Wording> = {
  learner: {
    title: 'Sign in',
    intro: 'Your courses, certificates and orders are waiting.',
    signIn: '/login',
    forgot: '/forgot',
    nameLabel: 'Email or user name',
    register: '/register',
  },
  organisation: {
    title: 'Organisation sign-in',
    intro: 'For those who manage seats and people for their organisation.',
    signIn: '/organization-login',
    forgot: '/organization-forgot',
    nameLabel: 'Work email or user name',
    register: null,
  },
  admin: {
    title: 'Administrator sign-in',
    intro: 'For staff of this site only. Every sign-in is recorded.',
    signIn: '/adminlogin',
    forgot: '/forgot',
    nameLabel: 'Staff email or user name',
    register: null,
  },
};

/** The page where a flow starts. */
export function startPage(flow: FlowName, area: Area): string {
  if (flow === 'register') return '/register';
  return flow === 'authenticate' ? AREAS[area].signIn : AREAS[area].forgot;
}
