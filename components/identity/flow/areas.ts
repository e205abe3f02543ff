import type { Area, FlowName } from '../api/identity';

type Wording = {
  title: string;
  intro: string;
  signIn: string;
  forgot: string;
  nameLabel: string;
  /** Learners alone register by themselves. */
  register: string | null;
};

/** The three doors: one provider, one form, words and addresses of their own. */
export const AREAS: Record<Area, Wording> = {
  learner: {
    title: 'Sign in',
    intro: 'Your courses, certificates and orders are waiting.',
    signIn: '/login',
    forgot: '/forgot',
    nameLabel: 'E-mail or user name',
    register: '/register',
  },
  organisation: {
    title: 'Organisation sign-in',
    intro: 'For those who manage seats and people for their organisation.',
    signIn: '/organization-login',
    forgot: '/organization-forgot',
    nameLabel: 'Work e-mail or user name',
    register: null,
  },
  admin: {
    title: 'Administrator sign-in',
    intro: 'For staff of this site only. Every sign-in is recorded.',
    signIn: '/adminlogin',
    forgot: '/forgot',
    nameLabel: 'Staff e-mail or user name',
    register: null,
  },
};

/** Where a flow begins, and begins again. */
export function startPage(flow: FlowName, area: Area): string {
  if (flow === 'register') return '/register';
  return flow === 'authenticate' ? AREAS[area].signIn : AREAS[area].forgot;
}
