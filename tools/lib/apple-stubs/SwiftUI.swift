// Declarations of SwiftUI, as far as the adapters and Examples/SyncApp need them.
//
// Seen in:
// [a] Averyy/apple-dev-docs, documentation/SwiftUI: uiapplicationdelegateadaptor.md
// [b] developer.apple.com/documentation/swiftui/app, as several public repositories keep it
// [c] public copies of SwiftUI's module interface: the modifiers `task` and `refreshable`
// [f] Averyy/apple-dev-docs, documentation/SwiftUI: scene.md, state.md, windowgroup.md, list.md, text.md, foreach.md,
//     binding.md, securefield.md, primitivebuttonstyle.md, borderlessbuttonstyle.md with the pages of their members; and
//     view/task-priority.md, view/refreshable-action.md, view/sheet-itemondismisscontent.md, view/buttonstyle.md
// [g] skiptools/skip-fuse-ui, Sources/SkipSwiftUI: Containers/List.swift, Containers/ForEach.swift, Text/SecureField.swift;
//     skiptools/skip-ui, Sources/SkipUI/SkipUI/App/Window.swift. They have the initializers of SwiftUI
// WindowGroup, List and Text have fewer initializers here than in the SDK. There, a string literal is a LocalizedStringKey,
// which refuses to interpolate most types that are not strings or numbers; here it is a String, which takes all.
public import Foundation
public import UIKit

// [b] Isolated to the main actor.
@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
    init()
}

extension App {
    public static func main() {}
}

// [f] Isolated to the main actor. Its body is left out here.
@MainActor @preconcurrency
public protocol Scene {}

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError("a stand-in") }
}

@resultBuilder
public enum SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

@resultBuilder
public enum ViewBuilder {
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
}

// [f] [g] The initializer is not marked as nonisolated.
public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
}

// [f] Sendable and Equatable, and not isolated to an actor.
public struct Text: Sendable, Equatable {
    public init<Content: StringProtocol>(_ content: Content) {}
}

extension Text: View {
    public var body: Never { fatalError("a stand-in") }
}

// [f] Isolated to the main actor, apart from the initializers. [g] Their constraints.
@MainActor @preconcurrency
public struct List<SelectionValue: Hashable, Content: View>: View {
    public var body: Never { fatalError("a stand-in") }
}

extension List where SelectionValue == Never {
    public nonisolated init(@ViewBuilder content: () -> Content) {}

    public nonisolated init<Data, RowContent>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == ForEach<Data, Data.Element.ID, RowContent>, Data: RandomAccessCollection, RowContent: View,
        Data.Element: Identifiable
    {}
}

// [c] Both closures are @Sendable; that of `task` runs on the actor of the code around it. [f] Neither method is isolated.
extension View {
    public nonisolated func task(
        priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { self }

    public nonisolated func refreshable(action: @escaping @Sendable () async -> Void) -> some View { self }

    // [f] Not isolated.
    public nonisolated func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View { self }

    // [f] Not isolated. Of the two methods of this name the one for the styles of SwiftUI.
    public nonisolated func buttonStyle<Style: PrimitiveButtonStyle>(_ style: Style) -> some View { self }
}

// [f] Isolated to the main actor. What a style has to have is left out here.
@MainActor @preconcurrency
public protocol PrimitiveButtonStyle {}

// [f] Not isolated.
public nonisolated struct BorderlessButtonStyle: PrimitiveButtonStyle {
    public init() {}
}

extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    // [f] Not isolated.
    public nonisolated static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}

// [f] Not isolated; the setter of the value does not change the struct.
@propertyWrapper
public struct State<Value> {
    public var wrappedValue: Value {
        get { value }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { fatalError("a stand-in") }
    private let value: Value

    public init(wrappedValue: Value) { value = wrappedValue }
}

extension State where Value: ExpressibleByNilLiteral {
    // [f] The same as a value of nil.
    public init() { self.init(wrappedValue: nil) }
}

// [f] Sendable. The condition was seen for Binding, and not for State.
extension State: Sendable where Value: Sendable {}

// [a] Isolated to the main actor. The delegate is an NSObject.
@MainActor @preconcurrency @propertyWrapper
public struct UIApplicationDelegateAdaptor<DelegateType: NSObject & UIApplicationDelegate> {
    public init(_ delegateType: DelegateType.Type = DelegateType.self) {}
    public var wrappedValue: DelegateType { fatalError("a stand-in") }
}

// [d] developer.apple.com/documentation/swiftui: view/onappear(perform:), view/ontapgesture(count:perform:), lazyhstack,
// scrollview, foreach, viewmodifier, as several public repositories keep it. Generic containers have one initializer each here.
extension View {
    public nonisolated func onAppear(perform action: (() -> Void)? = nil) -> some View { self }

    public nonisolated func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View { self }

    public nonisolated func modifier<Modifier: ViewModifier>(_ modifier: Modifier) -> ModifiedContent<Self, Modifier> {
        ModifiedContent()
    }
}

@MainActor @preconcurrency
public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = ViewModifierContent<Self>
    @ViewBuilder func body(content: Content) -> Body
}

public struct ViewModifierContent<Modifier: ViewModifier>: View {
    public var body: Never { fatalError("a stand-in") }
}

public struct ModifiedContent<Content, Modifier> {
    nonisolated init() {}
}

extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
    public var body: Never { fatalError("a stand-in") }
}

public struct EitherView<First: View, Second: View>: View {
    public var body: Never { fatalError("a stand-in") }
}

extension ViewBuilder {
    public static func buildEither<First: View, Second: View>(first: First) -> EitherView<First, Second> {
        fatalError("a stand-in")
    }

    public static func buildEither<First: View, Second: View>(second: Second) -> EitherView<First, Second> {
        fatalError("a stand-in")
    }
}

public enum Axis {
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8

        public init(rawValue: Int8) { self.rawValue = rawValue }

        public static let horizontal = Set(rawValue: 1)
        public static let vertical = Set(rawValue: 2)
    }
}

public struct ScrollView<Content: View>: View {
    public nonisolated init(_ axes: Axis.Set, showsIndicators: Bool = true, @ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError("a stand-in") }
}

public struct LazyHStack<Content: View>: View {
    public nonisolated init(spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError("a stand-in") }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
    public nonisolated init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {}
    public var body: Never { fatalError("a stand-in") }
}

// [g] Its isolation was not seen.
extension ForEach where ID == Data.Element.ID, Data.Element: Identifiable {
    public nonisolated init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

// [e] theAppLaunchers/apple-docs-for-rag, SwiftUI/md: view-ondisappear(perform:), view-task(id:priority:_:), view-id(_:),
// view-environment(_:_:), view-coordinatespace(name:), view-frame(width:height:alignment:), view-background(_:alignment:),
// geometryreader, geometryproxy, environment, environmentkey, environmentvalues, vstack, hstack, lazyvstack, textfield, button.
// coordinateSpace(name:) and frame(in:) with a CoordinateSpace are of iOS 13; their successors need iOS 17. The containers and
// controls have one initializer each here.
extension View {
    public nonisolated func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }

    public nonisolated func task<ID: Equatable>(
        id value: ID, priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { self }

    public nonisolated func id<ID: Hashable>(_ id: ID) -> some View { self }

    public nonisolated func environment<Value>(
        _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
    ) -> some View { self }

    public nonisolated func coordinateSpace<Name: Hashable>(name: Name) -> some View { self }

    public nonisolated func frame(width: CGFloat? = nil, height: CGFloat? = nil) -> some View { self }

    public nonisolated func background<Background: View>(_ background: Background) -> some View { self }
}

public enum CoordinateSpace {
    case global
    case local
    case named(AnyHashable)
}

public struct GeometryProxy {
    public var size: CGSize { .zero }

    public func frame(in coordinateSpace: CoordinateSpace) -> CGRect { .zero }
}

public struct GeometryReader<Content: View>: View {
    public nonisolated init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) {}
    public var body: Never { fatalError("a stand-in") }
}

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

public struct EnvironmentValues {
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { Key.defaultValue }
        set {}
    }
}

@propertyWrapper
public struct Environment<Value> {
    public var wrappedValue: Value { fatalError("a stand-in") }

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
}

extension Environment: Sendable where Value: Sendable {}

@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
    public var wrappedValue: Value {
        get { fatalError("a stand-in") }
        nonmutating set {}
    }

    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {}

    // [f]
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        fatalError("a stand-in")
    }
}

// [f] The condition is part of its description.
extension Binding: Sendable where Value: Sendable {}

public struct Color: View {
    public static let clear = Color()
    public var body: Never { fatalError("a stand-in") }
}

public struct HorizontalAlignment: Sendable {
    public static let leading = HorizontalAlignment()
    public static let center = HorizontalAlignment()
}

public struct VStack<Content: View>: View {
    public nonisolated init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {}
    public var body: Never { fatalError("a stand-in") }
}

public struct LazyVStack<Content: View>: View {
    public nonisolated init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {}
    public var body: Never { fatalError("a stand-in") }
}

public struct HStack<Content: View>: View {
    public nonisolated init(spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError("a stand-in") }
}

public struct TextField: View {
    public nonisolated init<Title: StringProtocol>(_ title: Title, text: Binding<String>) {}
    public var body: Never { fatalError("a stand-in") }
}

// [f] [g] The initializer is not isolated.
public struct SecureField<Label: View>: View {
    public var body: Never { fatalError("a stand-in") }
}

extension SecureField where Label == Text {
    public nonisolated init<Title: StringProtocol>(_ title: Title, text: Binding<String>) {}
}

public struct Button: View {
    public nonisolated init<Title: StringProtocol>(_ title: Title, action: @escaping @MainActor () -> Void) {}
    public var body: Never { fatalError("a stand-in") }
}

public struct TupleView<Content>: View {
    public var body: Never { fatalError("a stand-in") }
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError("a stand-in") }
}

extension ViewBuilder {
    public static func buildBlock<First: View, Second: View, each Rest: View>(
        _ first: First, _ second: Second, _ rest: repeat each Rest
    ) -> TupleView<(First, Second, repeat each Rest)> { fatalError("a stand-in") }

    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}
