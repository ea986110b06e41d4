// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "swift-flowplayer", path: ".."),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        .executableTarget(
            name: "startup",
            dependencies: [.product(name: "Subprocess", package: "swift-subprocess")]
        ),
        .executableTarget(
            name: "startup-player",
            dependencies: [.product(name: "FlowplayerSDK", package: "swift-flowplayer")]
        ),
        .executableTarget(
            name: "heaps",
            dependencies: [.product(name: "Subprocess", package: "swift-subprocess")]
        ),
        .executableTarget(name: "startup-peer", linkerSettings: [.linkedLibrary("vlc")]),
        .executableTarget(
            name: "background",
            dependencies: [
                "BenchmarkSupport", "Sound",
                .product(name: "FlowplayerSDK", package: "swift-flowplayer"),
                .product(name: "FlyingFox", package: "FlyingFox"),
            ]
        ),
        .executableTarget(
            name: "queue",
            dependencies: [
                "BenchmarkSupport", "Sound", "queue-peer",
                .product(name: "FlowplayerSDK", package: "swift-flowplayer"),
            ]
        ),
        // The tests' own: links to their files.
        .executableTarget(
            name: "faults",
            dependencies: [
                "BenchmarkSupport",
                .product(name: "FlowplayerFaults", package: "swift-flowplayer"),
                .product(name: "FlowplayerSDK", package: "swift-flowplayer"),
                .product(name: "FlowplayerTesting", package: "swift-flowplayer"),
            ],
            swiftSettings: [.define("VLC")]
        ),
        .executableTarget(name: "queue-peer", linkerSettings: [.linkedLibrary("vlc")]),
        .executableTarget(
            name: "network",
            dependencies: [
                "network-peer", "network-player", .product(name: "Subprocess", package: "swift-subprocess"),
            ]
        ),
        .executableTarget(
            name: "network-player",
            dependencies: [.product(name: "FlowplayerSDK", package: "swift-flowplayer")]
        ),
        .executableTarget(name: "network-peer", linkerSettings: [.linkedLibrary("vlc")]),
        .target(name: "Sound", dependencies: ["BenchmarkSupport"]),
        // The tests' own: a link to their folder.
        .target(
            name: "BenchmarkSupport",
            dependencies: [.product(name: "FlyingFox", package: "FlyingFox")],
            path: "Sources/TestSupport"
        ),
    ],
    swiftLanguageModes: [.v6]
)
