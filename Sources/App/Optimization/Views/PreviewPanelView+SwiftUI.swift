#if canImport(SwiftUI)
    import Foundation
    public import SwiftUI

    /// The preview panel of builds for developers: audiences on, off or as the service says, and variants of experiences.
    ///
    /// The panel is open while this view is on the screen.
    public struct PreviewPanelView: View {
        private let model: PreviewPanelModel
        @State private var text = ""
        @State private var display: EntryDisplay?

        public init(_ model: PreviewPanelModel) { self.model = model }

        public var body: some View {
            VStack {
                TextField("Search", text: $text)
                Button("Reset all", action: { model.resetAll() })
                ScrollView(.vertical) {
                    LazyVStack(alignment: .leading) {
                        ForEach(model.audiences(matching: text), id: \.self) { AudienceRow(model: model, audience: $0) }
                    }
                }
            }
            .onAppear { model.open() }
            .onDisappear { model.close() }
            .task {
                // The state of the view changes with each value, so it is drawn anew.
                for await update in model.updates() { display = update }
            }
        }
    }

    private struct AudienceRow: View {
        let model: PreviewPanelModel
        let audience: PreviewPanel.Audience

        var body: some View {
            VStack(alignment: .leading) {
                Text(audience.name)
                if !audience.isAllVisitors {
                    HStack {
                        ForEach(PreviewPanel.AudienceState.allCases, id: \.self) { state in
                            Button(state == audience.state ? "[\(state.rawValue)]" : state.rawValue) {
                                model.set(state, for: audience)
                            }
                        }
                    }
                }
                ForEach(audience.experiences, id: \.self) { ExperienceRow(model: model, experience: $0) }
            }
        }
    }

    private struct ExperienceRow: View {
        let model: PreviewPanelModel
        let experience: PreviewPanel.Experience

        var body: some View {
            VStack(alignment: .leading) {
                Text(experience.name)
                ForEach(experience.variants, id: \.self) { variant in
                    Button(label(variant)) { model.choose(variant.index, for: experience) }
                }
                if experience.isOverridden { Button("As the service says") { model.choose(nil, for: experience) } }
            }
        }

        private func label(_ variant: PreviewPanel.Variant) -> String {
            let label = PreviewPanelModel.label(of: variant)
            return variant.index == experience.shownIndex ? "[\(label)]" : label
        }
    }
#endif
