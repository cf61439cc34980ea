#if canImport(SwiftUI)
    import Foundation
    public import SwiftUI

    /// Shows the selected variant of an entry, reports its views, and its taps where `onTap` is given.
    ///
    /// Inside of an `OptimizationScrollView` it counts as seen by its visible part, elsewhere while it is on the screen.
    public struct OptimizedEntry<Content: View>: View {
        private let client: OptimizationClient
        private let baseline: ContentEntry
        private let isLive: Bool?
        private let rules: ViewTrackingRules?
        private let onTap: ((ContentEntry) -> Void)?
        private let content: (ContentEntry) -> Content

        /// - Parameters:
        ///   - baseline: With its links replaced.
        ///   - isLive: Whether it follows each change of the selections; nil for the app's setting.
        ///   - rules: Nil for the configuration's.
        ///   - onTap: What a tap does after it was reported; nil for a view whose taps are not reported.
        ///   - content: Draws the baseline or the variant. A variant that shows nothing is not drawn.
        public init(
            _ client: OptimizationClient, _ baseline: ContentEntry, isLive: Bool? = nil,
            rules: ViewTrackingRules? = nil, onTap: ((ContentEntry) -> Void)? = nil,
            @ViewBuilder content: @escaping (ContentEntry) -> Content
        ) {
            self.client = client
            self.baseline = baseline
            self.isLive = isLive
            self.rules = rules
            self.onTap = onTap
            self.content = content
        }

        public var body: some View {
            EntryBody(
                model: OptimizedEntryModel(client, baseline: baseline, isLive: isLive, rules: rules),
                baseline: baseline, isLive: isLive, onTap: onTap, content: content
            )
            // Another entry is another view.
            .id(baseline.id)
        }
    }

    private struct EntryBody<Content: View>: View {
        /// The first one that this view was made with.
        @State var model: OptimizedEntryModel
        let baseline: ContentEntry
        let isLive: Bool?
        let onTap: ((ContentEntry) -> Void)?
        let content: (ContentEntry) -> Content
        @State private var shown: EntryResolution?
        @Environment(\.optimizationViewportHeight) private var viewportHeight

        private var resolution: EntryResolution { shown ?? model.resolution }

        var body: some View {
            entry
                .task { for await resolution in model.updates() { shown = resolution } }
                .task(id: baseline) { model.show(baseline) }
                .task(id: isLive) { model.isLive = isLive }
        }

        @ViewBuilder private var entry: some View {
            if resolution.isEmptyVariant {
                Color.clear.frame(height: 0)
            } else {
                content(resolution.entry)
                    .background(measure)
                    .modifier(TapModifier(model: model, entry: resolution.entry, onTap: onTap))
                    .onDisappear { model.removed() }
            }
        }

        private var measure: some View {
            GeometryReader { proxy in
                Color.clear.task(id: ratio(proxy)) { model.moved(to: ratio(proxy)) }
            }
        }

        private func ratio(_ proxy: GeometryProxy) -> Double {
            guard let viewportHeight else { return proxy.size.height > 0 ? 1 : 0 }
            let frame = proxy.frame(in: .named(OptimizationSpace.name))
            return VisibleRatio.of(
                top: Double(frame.minY), height: Double(frame.size.height), viewportHeight: viewportHeight)
        }
    }

    private struct TapModifier: ViewModifier {
        let model: OptimizedEntryModel
        let entry: ContentEntry
        let onTap: ((ContentEntry) -> Void)?

        @ViewBuilder
        func body(content view: Content) -> some View {
            if let onTap {
                view.onTapGesture {
                    model.tapped()
                    onTap(entry)
                }
            } else {
                view
            }
        }
    }
#endif
