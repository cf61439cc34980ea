#if canImport(SwiftUI)
    public import SwiftUI

    /// Reports that the content around a view is waved away, and does what the app does then. A close button calls it:
    ///
    /// ```swift
    /// struct CloseButton: View {
    ///     @Environment(\.dismissContent) private var dismissContent
    ///
    ///     var body: some View { Text("Close").onTapGesture { dismissContent?() } }
    /// }
    /// ```
    @MainActor
    public struct DismissContentAction: Sendable {
        let action: @MainActor @Sendable () -> Void

        public func callAsFunction() { action() }
    }

    private struct DismissContentKey: EnvironmentKey {
        static let defaultValue: DismissContentAction? = nil
    }

    extension EnvironmentValues {
        /// What waves away the content that a view belongs to; nil outside of `reportsEngagement` and `RecommendationsRow`.
        public internal(set) var dismissContent: DismissContentAction? {
            get { self[DismissContentKey.self] }
            set { self[DismissContentKey.self] = newValue }
        }
    }
#endif
