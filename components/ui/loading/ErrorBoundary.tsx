import { Component, type ReactNode } from 'react';

type ErrorBoundaryProps = {
  /** Shown instead of the children after one of them threw. */
  fallback: ReactNode;
  /** The children are rendered again when it changes. */
  resetKey?: unknown;
  children: ReactNode;
};

type ErrorBoundaryState = { hasFailed: boolean; resetKey: unknown };

/** Limits an exception of a component to this part of the page. The root's onCaughtError reports it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { hasFailed: false, resetKey: this.props.resetKey };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ resetKey }: ErrorBoundaryProps, state: ErrorBoundaryState) {
    return resetKey === state.resetKey ? null : { hasFailed: false, resetKey };
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
