#if canImport(UIKit) && (os(iOS) || os(tvOS) || os(visionOS))
    import Foundation
    public import UIKit

    /// Reports to models which part of their views is visible in a scroll view.
    ///
    /// ```swift
    /// let visibility = EntryVisibility(in: scrollView)
    /// visibility.add(heroView, model)
    /// ```
    ///
    /// Call ``update()`` from `scrollViewDidScroll(_:)` and after layout.
    @MainActor
    public final class EntryVisibility {
        private weak var scrollView: UIScrollView?
        private var views: [(view: () -> UIView?, model: OptimizedEntryModel)] = []

        public init(in scrollView: UIScrollView) { self.scrollView = scrollView }

        /// Tracks a view until it is removed from the window or deallocated.
        public func add(_ view: UIView, _ model: OptimizedEntryModel) {
            views.append(({ [weak view] in view }, model))
            update()
        }

        /// The views were scrolled or laid out.
        public func update() {
            guard let scrollView else { return views.forEach { $0.model.removed() } }
            views.removeAll { view, model in
                if view() == nil { model.removed() }
                return view() == nil
            }
            for (view, model) in views {
                guard let view = view(), view.window != nil else {
                    model.removed()
                    continue
                }
                let frame = view.convert(view.bounds, to: scrollView)
                model.moved(
                    to: VisibleRatio.of(
                        top: Double(frame.minY), height: Double(frame.size.height),
                        viewportTop: Double(scrollView.bounds.minY),
                        viewportHeight: Double(scrollView.bounds.size.height)))
            }
        }

        /// The screen was left.
        public func removeAll() {
            for (_, model) in views { model.removed() }
            views = []
        }
    }

    extension UIViewController {
        /// Reports the screen; call it in `viewDidAppear(_:)`.
        public func trackScreen(_ client: OptimizationClient, name: String) {
            Task { _ = try? await client.screen(name) }
        }
    }
#endif
