#if canImport(SwiftUI)
    public import Foundation
    public import SwiftUI

    extension View {
        /// Reports that the content is on the screen, once in a session however often the view appears, each tap, and that it
        /// is waved away.
        ///
        /// - Parameters:
        ///   - content: Nil for content that nothing is reported about.
        ///   - onTap: What a tap does after it was reported; nil for a view whose taps are reported elsewhere.
        ///   - onDismiss: What `dismissContent` of the view's environment does after it has reported.
        public func reportsEngagement(
            _ content: EngagementContent?, to reporter: EngagementReporter, onTap: (() -> Void)? = nil,
            onDismiss: (@MainActor @Sendable () -> Void)? = nil
        ) -> some View {
            modifier(
                EngagementModifier(content: content, reporter: reporter, onTap: onTap, onDismiss: onDismiss))
        }
    }

    /// What `reportsEngagement` adds to a view.
    struct EngagementModifier: ViewModifier {
        let content: EngagementContent?
        let reporter: EngagementReporter
        let onTap: (() -> Void)?
        let onDismiss: (@MainActor @Sendable () -> Void)?

        func body(content view: Content) -> some View {
            let (content, reporter, onDismiss) = (content, reporter, onDismiss)
            return reporting(view).environment(
                \.dismissContent,
                DismissContentAction {
                    reporter.dismissed(content)
                    onDismiss?()
                })
        }

        @ViewBuilder
        private func reporting(_ view: Content) -> some View {
            if let onTap {
                view
                    .onAppear { reporter.appeared(content) }
                    .onTapGesture {
                        reporter.tapped(content)
                        onTap()
                    }
            } else {
                view.onAppear { reporter.appeared(content) }
            }
        }
    }

    /// A row of recommended items. The app makes the card of each item, with its image.
    public struct RecommendationsRow<Card: View>: View {
        private let model: RecommendationsModel
        private let spacing: CGFloat
        private let onTap: (Int, DeepLinkOutcome?) -> Void
        private let onDismiss: (@MainActor @Sendable (Int) -> Void)?
        private let card: (DecisionItem) -> Card

        /// - Parameters:
        ///   - onTap: The index of the item, and where it leads.
        ///   - onDismiss: The index of the item that `dismissContent` of its card's environment has reported.
        public init(
            _ model: RecommendationsModel, spacing: CGFloat = 12,
            onTap: @escaping (Int, DeepLinkOutcome?) -> Void,
            onDismiss: (@MainActor @Sendable (Int) -> Void)? = nil,
            @ViewBuilder card: @escaping (DecisionItem) -> Card
        ) {
            self.model = model
            self.spacing = spacing
            self.onTap = onTap
            self.onDismiss = onDismiss
            self.card = card
        }

        public var body: some View {
            ScrollView(.horizontal) {
                LazyHStack(spacing: spacing) {
                    ForEach(0..<model.count, id: \.self) { index in
                        card(model.decision.items[index])
                            .onAppear { model.appeared(at: index) }
                            .onTapGesture { onTap(index, model.tapped(at: index)) }
                            .environment(\.dismissContent, dismissal(of: index))
                    }
                }
            }
        }

        private func dismissal(of index: Int) -> DismissContentAction {
            let (model, onDismiss) = (model, onDismiss)
            return DismissContentAction {
                model.dismissed(at: index)
                onDismiss?(index)
            }
        }
    }
#endif
