import { Component, type ErrorInfo, type ReactNode } from 'react';

/** Shows `instead` if a child throws. */
export class ErrorBoundary extends Component<
  { children: ReactNode; instead: ReactNode },
  { broken: boolean }
> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(error, info.componentStack);
  }

  override render(): ReactNode {
    return this.state.broken ? this.props.instead : this.props.children;
  }
}
