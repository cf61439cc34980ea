#if canImport(UIKit) && (os(iOS) || os(tvOS) || os(visionOS))
    public import Foundation
    public import UIKit

    /// The delegate of a collection view whose first section shows the items of a decision: it reports the cells that are about
    /// to be displayed, and taps.
    ///
    /// A collection view holds its delegate weakly, so the app has to hold it.
    @MainActor
    public final class RecommendationsDelegate: NSObject, UICollectionViewDelegate {
        public var model: RecommendationsModel
        private let section: Int
        private let onTap: @MainActor (Int, DeepLinkOutcome?) -> Void

        /// - Parameters:
        ///   - section: The section with the items.
        ///   - onTap: The index of the item, and where it leads.
        public init(
            _ model: RecommendationsModel, section: Int = 0, onTap: @escaping @MainActor (Int, DeepLinkOutcome?) -> Void
        ) {
            self.model = model
            self.section = section
            self.onTap = onTap
        }

        public func collectionView(
            _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt indexPath: IndexPath
        ) {
            if indexPath.section == section { model.appeared(at: indexPath.item) }
        }

        public func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
            guard indexPath.section == section, indexPath.item < model.count else { return }
            onTap(indexPath.item, model.tapped(at: indexPath.item))
        }
    }
#endif
