#if canImport(SwiftUI)
    import Foundation
    public import PushDispatch
    public import SwiftUI

    /// A vertical scroll view whose entries know which part of them is visible.
    public struct OptimizationScrollView<Content: View>: View {
        private let content: () -> Content

        public init(@ViewBuilder content: @escaping () -> Content) { self.content = content }

        public var body: some View {
            GeometryReader { proxy in
                ScrollView(.vertical) { content() }
                    .coordinateSpace(name: OptimizationSpace.name)
                    .environment(\.optimizationViewportHeight, Double(proxy.size.height))
            }
        }
    }

    /// The coordinates of the scroll view that an entry is in.
    enum OptimizationSpace {
        static let name = "com.contentful.optimization.scroll"
    }

    private struct ViewportHeightKey: EnvironmentKey {
        static let defaultValue: Double? = nil
    }

    extension EnvironmentValues {
        /// Of the scroll view; nil outside of one.
        var optimizationViewportHeight: Double? {
            get { self[ViewportHeightKey.self] }
            set { self[ViewportHeightKey.self] = newValue }
        }
    }

    /// Initializes the client before the content is shown for the first time, and shows the content whatever comes of it:
    /// entries are their baselines then.
    public struct OptimizationRoot<Content: View>: View {
        private let client: OptimizationClient
        private let configuration: OptimizationConfiguration
        private let onError: @MainActor @Sendable (OptimizationError) -> Void
        private let content: () -> Content
        @State private var isReady = false

        /// - Parameter onError: What `initialize` throws.
        public init(
            _ client: OptimizationClient, configuration: OptimizationConfiguration,
            onError: @escaping @MainActor @Sendable (OptimizationError) -> Void = { _ in },
            @ViewBuilder content: @escaping () -> Content
        ) {
            self.client = client
            self.configuration = configuration
            self.onError = onError
            self.content = content
        }

        public var body: some View { root.task { await initialize() } }

        @ViewBuilder private var root: some View { if isReady { content() } else { Color.clear } }

        private func initialize() async {
            if !client.isInitialized {
                do throws(OptimizationError) {
                    try await client.initialize(configuration)
                } catch {
                    onError(error)
                }
            }
            isReady = true
        }
    }

    extension View {
        /// Reports the screen each time the view appears.
        public func trackScreen(
            _ client: OptimizationClient, name: String, properties: [String: JSONValue] = [:]
        ) -> some View {
            task { _ = try? await client.screen(name, properties: properties) }
        }
    }
#endif
