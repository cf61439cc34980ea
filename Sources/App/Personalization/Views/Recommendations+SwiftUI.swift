#if canImport(SwiftUI)
    public import Foundation
    public import SwiftUI

    extension View {
        /// Reports that the content is on the screen, once in a session however often the view appears, and each tap.
        ///
        /// - Parameters:
        ///   - content: Nil for content that nothing is reported about.
        ///   - onTap: What a tap does after it was reported; nil for a view whose taps are reported elsewhere.
        public func reportsEngagement(
            _ content: EngagementContent?, to reporter: EngagementReporter, onTap: (() -> Void)? = nil
        ) -> some View {
            modifier(EngagementModifier(content: content, reporter: reporter, onTap: onTap))
        }
    }

    /// What `reportsEngagement` adds to a view.
    struct EngagementModifier: ViewModifier {
        let content: EngagementContent?
        let reporter: EngagementReporter
        let onTap: (() -> Void)?

        @ViewBuilder
        func body(content view: Content) -> some View {
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
        private let card: (DecisionItem) -> Card

        /// - Parameter onTap: The index of the item, and where it leads.
        public init(
            _ model: RecommendationsModel, spacing: CGFloat = 12,
            onTap: @escaping (Int, DeepLinkOutcome?) -> Void, @ViewBuilder card: @escaping (DecisionItem) -> Card
        ) {
            self.model = model
            self.spacing = spacing
            self.onTap = onTap
            self.card = card
        }

        public var body: some View {
            ScrollView(.horizontal) {
                LazyHStack(spacing: spacing) {
                    ForEach(0..<model.count, id: \.self) { index in
                        card(model.decision.items[index])
                            .onAppear { model.appeared(at: index) }
                            .onTapGesture { onTap(index, model.tapped(at: index)) }
                    }
                }
            }
        }
    }
#endif
