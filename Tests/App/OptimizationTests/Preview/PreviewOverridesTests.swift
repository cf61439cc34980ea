import PushDispatch
import Testing

@testable import Optimization

/// docs/reference/personalization.md 16.
struct PreviewOverridesTests {
    private let real = [
        ExperienceSelection(experienceID: "exp-1", variantIndex: 0, variants: ["hero": "hero"], isSticky: true),
        ExperienceSelection("exp-2", 2),
    ]

    private func indices(_ overrides: PreviewOverrides, _ real: [ExperienceSelection]?) -> [String: Int]? {
        overrides.applied(to: real).map {
            Dictionary(uniqueKeysWithValues: $0.map { ($0.experienceID, $0.variantIndex) })
        }
    }

    @Test func `without overrides the service's selections hold`() {
        #expect(PreviewOverrides().applied(to: real) == real && PreviewOverrides().applied(to: nil) == nil)
    }

    @Test func `an audience sets its experiences to 1 or 0`() {
        var overrides = PreviewOverrides()
        overrides.overrideAudience("aud", isQualified: true, experienceIDs: ["exp-1", "exp-3"], wasQualified: false)
        let selections = overrides.applied(to: real)
        #expect(indices(overrides, real) == ["exp-1": 1, "exp-2": 2, "exp-3": 1])
        #expect(selections?.first?.variants == ["hero": "hero"] && selections?.first?.isSticky == true)
        #expect(selections?.last == .preview("exp-3", 1))
        overrides.overrideAudience("aud", isQualified: false, experienceIDs: ["exp-2"], wasQualified: false)
        #expect(indices(overrides, real) == ["exp-1": 0, "exp-2": 0])
        #expect(overrides.audiences["aud"]?.wasQualified == false)
        overrides.resetAudience("aud")
        #expect(overrides.isEmpty && overrides.applied(to: real) == real)
    }

    @Test func `overrides are laid over each new reply, and before the first`() {
        var overrides = PreviewOverrides()
        overrides.overrideVariant("exp-2", index: 1)
        #expect(indices(overrides, nil) == ["exp-2": 1])
        #expect(indices(overrides, real) == ["exp-1": 0, "exp-2": 1])
        #expect(indices(overrides, []) == ["exp-2": 1])
        overrides.resetVariant("exp-2")
        #expect(overrides.applied(to: nil) == nil)
    }

    @Test func `a variant that was set by itself survives the reset of an audience`() {
        var overrides = PreviewOverrides()
        overrides.overrideAudience("aud", isQualified: true, experienceIDs: ["exp-1", "exp-2"], wasQualified: true)
        overrides.overrideVariant("exp-1", index: 3)
        overrides.resetAudience("aud")
        #expect(indices(overrides, real) == ["exp-1": 3, "exp-2": 2])
        overrides.resetAll()
        #expect(overrides.isEmpty)
        overrides.overrideVariant("exp-1", index: -7)
        #expect(indices(overrides, real)?["exp-1"] == 0)
    }
}
