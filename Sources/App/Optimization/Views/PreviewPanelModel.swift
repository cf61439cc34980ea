/// What a preview panel does: it searches, switches audiences and chooses variants. The view draws it.
@MainActor
public final class PreviewPanelModel {
    private let client: OptimizationClient

    /// The panel is open as long as the app says (``OptimizationClient/setPreviewPanel(isOpen:)``).
    public init(_ client: OptimizationClient) { self.client = client }

    /// All Visitors first, then active ones, then by name. Empty before `initialize`.
    ///
    /// - Parameter text: Finds audiences and experiences; empty for all.
    public func audiences(matching text: String = "") -> [PreviewPanel.Audience] {
        client.previewState?.panel.search(text) ?? []
    }

    /// A new value after each change that the panel shows.
    public func updates() -> AsyncStream<EntryDisplay> { client.displayUpdates() }

    public func open() { client.setPreviewPanel(isOpen: true) }

    public func close() { client.setPreviewPanel(isOpen: false) }

    /// Switches an audience. All visitors cannot be switched.
    public func set(_ state: PreviewPanel.AudienceState, for audience: PreviewPanel.Audience) {
        guard !audience.isAllVisitors else { return }
        switch state {
        case .default: client.resetAudienceOverride(audience.id)
        case .on, .off: client.overrideAudience(audience.id, isQualified: state == .on)
        }
    }

    /// - Parameter index: Nil for the service's choice.
    public func choose(_ index: Int?, for experience: PreviewPanel.Experience) {
        if let index {
            client.overrideVariant(experience.id, index: index)
        } else {
            client.resetVariantOverride(experience.id)
        }
    }

    public func resetAll() { client.resetAllOverrides() }

    /// The name of a variant in the panel: `Baseline (50 %)`, `Variant 1 (50 %)`.
    public static func label(of variant: PreviewPanel.Variant) -> String {
        let name = variant.index == 0 ? "Baseline" : "Variant \(variant.index)"
        return variant.percent.map { "\(name) (\($0) %)" } ?? name
    }
}
