import PushDispatch
import Testing

@testable import Optimization

@MainActor
struct PreviewPanelModelTests {
    @Test func `the panel switches audiences and chooses variants`() async throws {
        let app = try await TestApp.started()
        try await app.client.screen("Home")
        let model = PreviewPanelModel(app.client)
        #expect(model.audiences().isEmpty)
        let audience = TestEntries.entry("a", type: "nt_audience", ["nt_audience_id": "aud-1", "nt_name": "Returning"])
        let entries = [
            audience, TestEntries.experience("exp-1", variants: ["b"], extra: ["nt_audience": audience]),
            TestEntries.experience("exp-2", variants: ["c"]),
        ]
        app.client.setPreviewDefinitions(
            PreviewDefinitions(entries: entries.compactMap(\.object).map { ContentEntry($0) }))
        model.open()
        #expect(app.client.isPreviewPanelOpen && model.audiences().map(\.name) == ["All Visitors", "Returning"])
        #expect(model.audiences(matching: "return").count == 1)
        model.set(.on, for: model.audiences()[1])
        #expect(app.client.selectedPersonalizations == [.preview("exp-1", 1)])
        model.set(.off, for: model.audiences()[1])
        #expect(app.client.selectedPersonalizations == [.preview("exp-1", 0)])
        model.set(.on, for: model.audiences()[0])
        #expect(app.client.previewState?.audienceOverrides.count == 1)
        model.choose(1, for: model.audiences()[0].experiences[0])
        #expect(app.client.selectedPersonalizations == [.preview("exp-1", 0), .preview("exp-2", 1)])
        model.choose(nil, for: model.audiences()[0].experiences[0])
        model.set(.default, for: model.audiences()[1])
        #expect(app.client.selectedPersonalizations == [])
        model.choose(1, for: model.audiences()[0].experiences[0])
        model.resetAll()
        model.close()
        #expect(app.client.selectedPersonalizations == [] && !app.client.isPreviewPanelOpen)
        #expect(PreviewPanelModel.label(of: .init(index: 0, percent: 50)) == "Baseline (50 %)")
        #expect(PreviewPanelModel.label(of: .init(index: 2, percent: nil)) == "Variant 2")
    }
}
