// For builds of developers: the caller guards these calls. Before `initialize` they do nothing.
extension OptimizationClient {
    public var isPreviewPanelOpen: Bool { core?.isPanelOpen ?? false }

    /// While the panel is open, every entry follows each change.
    public func setPreviewPanel(isOpen: Bool) {
        core?.isPanelOpen = isOpen
        changed()
    }

    /// The audiences and experiences that the panel shows (``DeliveryClient/previewDefinitions(locale:)``).
    public func setPreviewDefinitions(_ definitions: PreviewDefinitions) {
        core?.definitions = definitions
        changed()
    }

    /// Overrides and what is real; nil before `initialize`.
    public var previewState: PreviewState? { core?.preview }

    /// Shows the person as in or out of an audience.
    ///
    /// - Parameter experienceIDs: Nil for the experiences of the audience in the definitions.
    public func overrideAudience(_ id: String, isQualified: Bool, experienceIDs: [String]? = nil) {
        guard let core else { return }
        self.core?.overrides.overrideAudience(
            id, isQualified: isQualified, experienceIDs: experienceIDs ?? core.experiences(of: id),
            wasQualified: core.profile?.audiences.contains(id) ?? false)
        changed()
    }

    /// - Parameter index: 0 for the baseline.
    public func overrideVariant(_ experienceID: String, index: Int) {
        core?.overrides.overrideVariant(experienceID, index: index)
        changed()
    }

    public func resetAudienceOverride(_ id: String) {
        core?.overrides.resetAudience(id)
        changed()
    }

    public func resetVariantOverride(_ experienceID: String) {
        core?.overrides.resetVariant(experienceID)
        changed()
    }

    /// Back to the service's selections.
    public func resetAllOverrides() {
        core?.overrides.resetAll()
        changed()
    }
}
